import { DATA_EXPORT_DAYS } from '#contract/limits.ts';
import { Refusal } from '#contract/errors.ts';
import { refusalText } from '#words/rules/refusal.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { lockAccount } from '#server/accounts/data.ts';
import { DAY_MS, fromNow } from '#server/clock.ts';
import { deleteFiles, isOrganizationLane } from './actions.ts';
import { type Covered, storeArchive } from '#server/data-export/archive/store.ts';
import { deleteEndedExports, finishExport, findUnmade } from './data.ts';
import { exportReadyMail, organizationExportReadyMail } from './mail.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import type { JobHandlers } from '#server/jobs/jobs.ts';
import { inLanguage } from '#server/language.ts';
import { findLanguage } from '#server/mail/data.ts';
import { queueMail } from '#server/mail/outbox.ts';
import { superAdminUnderLock } from '#server/members/actions.ts';

const ORGANIZATIONS_AT_ONCE = 2;
const limitsOf = (_deps: Deps, lanes: readonly string[]) =>
  Promise.resolve(
    new Map(
      lanes
        .filter(isOrganizationLane)
        .map((lane) => [lane, { organizations: ORGANIZATIONS_AT_ONCE }] as const),
    ),
  );

export const dataExportJobs: JobHandlers = {
  'make-data-export': {
    // An archive takes minutes, and the largest are of organizations. So one slot is always left for people.
    slots: ORGANIZATIONS_AT_ONCE + 1,
    turns: { isOrdered: true, limitsOf },
    run: async (deps, { id }: { readonly id: number }, _jobId, progress) => {
      const request = await findUnmade(deps.sql, id);
      if (request) await makeArchive(deps, id, request, progress);
    },
  },
};

type Request = NonNullable<Awaited<ReturnType<typeof findUnmade>>>;

async function makeArchive(deps: Deps, id: number, request: Request, progress: () => Promise<void>) {
  const language = await findLanguage(deps.sql, deps, request.userId ?? request.requestedBy);
  const store = () => storeArchive(deps, request as Covered, progress);
  const { fileIds, byteCount } = await inLanguage(language, store);
  const [fileId, ...further] = fileIds;
  if (!fileId) throw new Error('the archive has no file');
  await transaction(deps.sql, async (tx) => {
    const expiresAt = fromNow(deps.clock, DATA_EXPORT_DAYS * DAY_MS);
    const made = { file_id: fileId, further_file_ids: further, byte_count: byteCount };
    // Locks come first, as in a request.
    const mail = await readyMail(tx, deps, request);
    const isNew = await finishExport(tx, id, { ...made, made_at: deps.clock.now(), expires_at: expiresAt });
    if (isNew && mail) await queueMail(tx, deps, { ...mail, expiresAt });
  });
}

/** The mail to the requester, if they have an account and may still have the data. */
async function readyMail(tx: Tx, deps: Deps, { userId, orgId, requestedBy }: Request) {
  const requester = userId ?? requestedBy;
  if (requester === null) return undefined;
  const { publicUrl } = deps.config;
  const content =
    orgId === null
      ? exportReadyMail(publicUrl)
      : await organizationMail(tx, publicUrl, { orgId, userId: requester });
  if (!content) return undefined;
  const account = await lockAccount(tx, requester, deps.clock.now());
  return account?.email ? { userId: requester, to: account.email, content } : undefined;
}

type Requester = { readonly orgId: OrgId; readonly userId: UserId };
async function organizationMail(tx: Tx, publicUrl: URL, requester: Requester) {
  const matter = { to: 'exportData', details: refusalText.superAdminOfData } as const;
  const admin = await superAdminUnderLock(tx, requester, { confirmed: true }, matter);
  return admin instanceof Refusal ? undefined : organizationExportReadyMail(publicUrl, admin);
}

export const sweepExports = (deps: Deps) =>
  transaction(deps.sql, async (tx) => {
    const lost = fromNow(deps.clock, -DATA_EXPORT_DAYS * DAY_MS);
    for (const row of await deleteEndedExports(tx, deps.clock.now(), lost)) await deleteFiles(tx, deps, row);
  });
