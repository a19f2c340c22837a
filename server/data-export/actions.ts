import { codesOf } from '#contract/activity/recorded.ts';
import { type Download } from '#contract/activity/calls.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import { DATA_EXPORTS_PER_DAY } from '#contract/limits.ts';
import { productSlug } from '#contract/product-slug.ts';
import { refusalText } from '#words/refusal.ts';
import type { OrgId, SessionId, UserId } from '#contract/wire.ts';
import { lockAccount } from '#server/accounts/data.ts';
import { listIds, listRows, recordActivity } from '#server/activity/data.ts';
import { namesOfPeople } from '#server/activity/data-names.ts';
import { DAY_MS, fromNow } from '#server/clock.ts';
import type { Subject } from '#server/data-export/archive/store.ts';
import { type DataExport, deleteExport, findExport, insertExport, storeJob } from './data.ts';
import { findOrganizations, whyNoEntryTo } from '#server/access/data.ts';
import { type Db, type Tx, transaction } from '#server/db/connect.ts';
import { refuseUntil } from '#server/db/limiter.ts';
import type { Deps } from '#server/deps.ts';
import { deleteLater } from '#server/drive/actions.ts';
import { enqueue } from '#server/jobs/enqueue.ts';
import { type OrgActor, superAdminUnderLock } from '#server/members/actions.ts';

type Caller = { readonly userId: UserId; readonly sessionId: SessionId; readonly confirmed: boolean };
/** The subject of the archive is the organization if the call names one, otherwise the caller. */
type Asked = { readonly caller: Caller; readonly orgId: OrgId | null };

const subjectOf = ({ caller, orgId }: Asked): Subject =>
  orgId === null ? { userId: caller.userId, orgId } : { userId: null, orgId };

/** Callers need a confirmed address: the archive of a stranger's address would show that person's invitations. */
async function refuseUnderLock(tx: Tx, { clock }: Deps, { caller, orgId }: Asked) {
  if (orgId !== null) {
    const matter = { to: 'exportData', details: refusalText.superAdminOfData } as const;
    const admin = await superAdminUnderLock(tx, { orgId, userId: caller.userId }, caller, matter);
    return admin instanceof Refusal ? admin : undefined;
  }
  if (!caller.confirmed) return refuse('account_not_confirmed');
  await lockAccount(tx, caller.userId, clock.now());
  return undefined;
}

/** An archive also ends with an active membership whose organization it covers. */
const isEnded = (row: DataExport, now: Date) =>
  row.covers_left || (row.expires_at !== null && row.expires_at <= now);
const isBeingMade = (row: DataExport) => row.made_at === null && row.failed_at === null;

async function show(sql: Db, deps: Deps, subject: Subject) {
  const found = await findExport(sql, subject);
  const row = found && !isEnded(found, deps.clock.now()) ? found : undefined;
  const by = row?.requested_by ?? undefined;
  const [requester] = by === undefined ? [] : await namesOfPeople(sql, subject.orgId, [by]);
  return {
    requestedAt: row?.requested_at ?? null,
    requestedBy: requester?.name ?? null,
    isFailed: Boolean(row && !row.made_at && row.failed_at),
    expiresAt: row?.expires_at ?? null,
    byteCount: row?.byte_count ?? null,
    nextRequestAt: await nextRequestAt(sql, deps, subject),
  };
}

/** The time from which another archive may be made, if the day's number is used up. The log counts them. */
async function nextRequestAt(sql: Db, { clock, config }: Deps, subject: Subject) {
  const filter = {
    parts: [subject.orgId === null ? subject : { orgId: subject.orgId }],
    kinds: [codesOf(`${archiveOf(subject)}.create`)],
    from: fromNow(clock, 1 - DAY_MS),
  };
  const most = DATA_EXPORTS_PER_DAY * config.rateLimitFactor;
  const { rows } = await listIds(sql, filter, most);
  const first = rows[most - 1];
  const [request] = first ? await listRows(sql, [first.id]) : [];
  return request ? new Date(request.created_at.getTime() + DAY_MS) : null;
}

export const readExport = async (deps: Deps, caller: Caller, scope: OrgActor | null) =>
  scope && scope.rank !== 'superAdmin'
    ? refuse('super_admin_only', { details: refusalText.superAdminOfData })
    : show(deps.sql, deps, subjectOf({ caller, orgId: scope?.orgId ?? null }));

const OF_ORGANIZATIONS = 'archive organization';
const laneOf = ({ userId, orgId }: Subject) =>
  orgId === null ? `archive person ${userId}` : `${OF_ORGANIZATIONS} ${orgId}`;
export const isOrganizationLane = (lane: string) => lane.startsWith(OF_ORGANIZATIONS);

/** Requests an archive that replaces the former one, unless one is being made. */
export const requestExport = (deps: Deps, asked: Asked) =>
  transaction(deps.sql, async (tx) => {
    const { userId, sessionId } = asked.caller;
    const now = deps.clock.now();
    const refusal = await refuseUnderLock(tx, deps, asked);
    if (refusal) return refusal;
    const subject = subjectOf(asked);
    const current = await findExport(tx, subject);
    if (current && !isEnded(current, now) && isBeingMade(current)) return show(tx, deps, subject);
    // Counted under the lock, so that requests at the same time count as one.
    const nextAt = await nextRequestAt(tx, deps, subject);
    if (nextAt) {
      deps.metrics.limited.inc({ limit: 'dataExportsDay' });
      return refuseUntil('dataExportsDay', nextAt, now);
    }
    await removeExport(tx, deps, subject);
    const { open } = await findOrganizations(tx, { sessionId, now });
    const id = await insertExport(tx, subject, { userId, open }, now);
    // An organization's archive is made even if the Super Admin's account ends meanwhile.
    const job = {
      kind: 'make-data-export',
      payload: { id },
      lane: laneOf(subject),
      ...(subject.orgId === null && { userId }),
    };
    await storeJob(tx, id, await enqueue(tx, deps, job));
    await recordExport(tx, deps, asked, 'create');
    return show(tx, deps, subject);
  });

/** Deletes a subject's archive: the row now, the files after the commit. */
export async function removeExport(tx: Tx, deps: Deps, subject: Subject) {
  const former = await deleteExport(tx, subject);
  if (former) await deleteFiles(tx, deps, former);
}

type Files = Pick<DataExport, 'file_id' | 'further_file_ids'>;
const filesOf = ({ file_id: first, further_file_ids: further }: Files) =>
  first === null ? [] : [first, ...further];

export async function deleteFiles(tx: Tx, deps: Deps, row: Files) {
  for (const fileId of filesOf(row)) await deleteLater(tx, deps, fileId);
}

const archiveOf = ({ orgId }: { readonly orgId: OrgId | null }) =>
  orgId === null ? 'person.dataExport' : 'organization.organizationData';
const recordExport = (tx: Tx, deps: Deps, asked: Asked, action: 'create' | 'read') =>
  recordActivity(tx, deps, `${archiveOf(asked)}.${action}`, {
    orgId: asked.orgId,
    userId: asked.caller.userId,
  });

const PART_BYTES = 2 ** 20;

/** The archive in parts. One stored file after the other, so that a large archive takes no more memory than a small one. */
async function* inParts({ storage }: Deps, first: Uint8Array, further: readonly string[]) {
  yield* cut(first);
  for (const fileId of further) {
    const bytes = await storage.get(fileId);
    if (!bytes) throw new Error(`the file ${fileId} of an archive is gone`);
    yield* cut(bytes);
  }
}
function* cut(bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; at += PART_BYTES) yield bytes.subarray(at, at + PART_BYTES);
}

/** The archive. The log row is written before the first byte leaves. */
export async function downloadExport(deps: Deps, asked: Asked) {
  const tooMany = await deps.limiter.take('exportsHour', `user ${asked.caller.userId}`);
  if (tooMany) return tooMany;
  const row = await transaction(deps.sql, async (tx) => {
    const refusal = await refuseUnderLock(tx, deps, asked);
    if (refusal) return refusal;
    const found = await findExport(tx, subjectOf(asked));
    const now = deps.clock.now();
    if (!found || isEnded(found, now)) return refuse('file_not_found');
    // A call that names an organization asks the same before it runs.
    const reason = await whyNoEntryTo(tx, { sessionId: asked.caller.sessionId, now }, found.org_ids ?? []);
    return reason ? refuse(reason) : found;
  });
  if (row instanceof Refusal) return row;
  const [firstId, ...further] = filesOf(row);
  const first = firstId && (await deps.storage.get(firstId));
  if (!first) return refuse('file_not_found');
  await transaction(deps.sql, (tx) => recordExport(tx, deps, asked, 'read'));
  const day = deps.clock.now().toISOString().slice(0, 10);
  const fileName = `${productSlug()}-${day}.zip`;
  return {
    mediaType: 'application/zip',
    fileName,
    content: inParts(deps, first, further),
  } satisfies Download;
}
