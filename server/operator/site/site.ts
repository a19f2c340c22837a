import { SOURCE_LANGUAGE } from '#contract/languages.ts';
import { randomUUID } from 'node:crypto';
import { constants, cp } from 'node:fs/promises';
import path from 'node:path';
import { maskEmail } from '#contract/accounts/mask.ts';
import { counted } from '#contract/operator/act.ts';
import { product } from '#contract/product.ts';
import type { FileId } from '#contract/split-by-bytes/area-wire.ts';
import { anchorsAt } from '#server/activity/chain/anchors.ts';
import { brokenChains } from '#server/activity/chain/verify.ts';
import { listKeys } from '#server/applications/data-keys.ts';
import { rotateSigningKeys } from '#server/applications/keys.ts';
import type { Deps } from '#server/deps.ts';
import { deleteImages, listLostImages } from '#server/drive/data.ts';
import { jobCounts } from '#server/jobs/data-counts.ts';
import { listFailed, listFailing, retryFailed } from '#server/jobs/data.ts';
import { reasonOf } from '#server/jobs/reasons.ts';
import { openTransport, outboxFolder } from '#server/mail/transports.ts';
import { showStatus } from './checks.ts';
import { listed, no } from '#server/operator/lines.ts';
import { afterCheckpoint, endAllAccess } from './data.ts';
import { showLog } from './log.ts';
import type { Changes, Looks, Shown, Work } from '#server/operator/work.ts';
import { openStorage } from '#server/storage/open.ts';
import { tryStorage } from '#server/storage/trial.ts';
import { invalidatePastCodes } from '#server/sign-in/factors/actions.ts';

type ListedJob = { readonly id: number; readonly kind: string; readonly letter: string | null };
const jobLine = ({ id, kind, letter }: ListedJob) => `${id}  ${kind}${letter === null ? '' : ` “${letter}”`}`;

type Lost = { readonly lost?: readonly FileId[] };
export const findLost = async (deps: Deps): Promise<Lost> => ({
  lost: 'folder' in deps.config.storage ? await listLostImages(deps) : [],
});

export async function sendTestMail({ config, clock }: Deps, { to }: { readonly to: string }): Promise<Shown> {
  const text = `${product.name} at ${config.publicUrl.origin} sends mails.`;
  const letter = {
    from: { name: product.name, address: config.mailFrom },
    to: { name: '', address: to },
    subject: `Test mail of ${product.name}`,
    text,
    html: `<p>${text}</p>`,
    language: SOURCE_LANGUAGE,
    number: 0,
    messageId: `<${randomUUID()}@${config.publicUrl.hostname}>`,
    date: clock.now(),
  };
  const error = await openTransport(config, false)(letter).then(() => null, reasonOf);
  const taken = config.smtpUrl ? 'The mail server took it.' : `It is in ${outboxFolder(config)}.`;
  const lines = [error === null ? taken : `It was not sent: ${error}`];
  return { lines, data: { error }, isFailure: error !== null };
}

/** Drops sessions, links, codes and mails, because they may have ended or been sent since the backup. */
async function settle({ tx, deps, record }: Work, from: string, { lost = [] }: Lost) {
  const sessions = await endAllAccess(tx, deps.clock.now());
  await invalidatePastCodes(tx, deps);
  await deleteImages(tx, lost);
  await record(undefined, { restore: [null, from], sessions: [sessions, 0], images: [lost.length, 0] });
  return { lostImages: lost.length };
}

export const siteChanges = {
  /** Retries one failed job or all of them. Expired jobs stay failed. */
  retry: async ({ tx, deps, record }, { job }) => {
    const failed = await retryFailed(tx, deps.clock, job === 'all' ? undefined : Number(job));
    if (failed.length === 0) return no('not_found', 'No such job was given up.');
    const retried = failed.map(({ id, kind }) => ({ id, kind }));
    const kinds = [...Map.groupBy(retried, ({ kind }) => kind)];
    await record(
      job === 'all' ? undefined : Number(job),
      Object.fromEntries(kinds.map(([kind, jobs]) => [kind, [jobs.length, 0]])),
    );
    return { retried };
  },
  /** Withdraws the other keys at once if they have leaked. */
  'keys rotate': async ({ tx, deps, record }, { 'at-once': isAtOnce = false }) => {
    const { former, kids, signsFrom } = await rotateSigningKeys(tx, deps, isAtOnce);
    await record(undefined, { signing_keys: [isAtOnce ? former : null, kids] });
    return { kids, signs_from: signsFrom, withdrawn: isAtOnce ? former : [] };
  },
  'mails test': async ({ record }, { to }) => {
    await record(undefined, { mail_test: [null, maskEmail(to)] });
    return {};
  },
  backup: async ({ deps: { config }, record }, { file }) => {
    await record(undefined, { backup: [null, file] });
    const notes = [
      config.secretKeys
        ? 'SECRET_KEY is not in it: keep it beside; without it nobody’s password is right.'
        : 'It holds the secret of the installation: keep it as safe as the installation.',
      ...('folder' in config.storage
        ? []
        : ['The images are not in it: the bucket of STORAGE_URL has them.']),
      ...(config.databaseUrl ? [`Of the anchors, it has those in ${config.dataDir}.`] : []),
    ];
    return { file, notes };
  },
  restore: async (work, { file, ...lost }: { readonly file: string } & Lost) => ({
    file,
    ...(await settle(work, file, lost)),
  }),
  settle: (work, { from, ...lost }: { readonly from: string } & Lost) => settle(work, from, lost),
} satisfies Partial<Changes>;

export const siteLooks = {
  log: showLog,
  copy: async ({ sql, config: { databaseUrl, dataDir } }, { folder }) => {
    if (databaseUrl) return no('not_allowed', 'The portal uses PostgreSQL: set DATABASE_URL as it does.');
    const [from, to] = ['.', folder].map((place) => path.join(dataDir, place, 'database'));
    const mode = constants.COPYFILE_FICLONE;
    await afterCheckpoint(sql, () => cp(String(from), String(to), { recursive: true, mode }));
    return { lines: [], data: null };
  },
  verify: async (deps, { chain }) => {
    const broken = [];
    for await (const one of brokenChains(deps, chain)) broken.push(one);
    const lines = broken.map((one) =>
      one.problem === 'no such chain'
        ? `There is no chain "${one.chain}".`
        : `${one.chain} row ${one.position}: ${one.problem}`,
    );
    const whole = `The log is as it was written${chain === undefined ? '' : ` (${chain})`}.`;
    const { folder, days } = await anchorsAt(deps.config.dataDir);
    const known = `Compared with the anchors of ${counted(days, 'day')} in ${folder}. Processes with another folder may have more.`;
    return {
      lines: [...(broken.length > 0 ? lines : [whole]), ...(deps.config.databaseUrl ? [known] : [])],
      data: broken,
      isFailure: broken.length > 0,
    };
  },
  status: showStatus,
  'storage test': async ({ config }) => {
    const { storage } = config;
    const place = 'folder' in storage ? storage.folder : `${storage.url.href}/${storage.prefix}`;
    const error = await tryStorage(openStorage(config));
    const lines = [error === null ? `It works: ${place}` : `It does not work: ${place}: ${error}`];
    return { lines, data: { place, error }, isFailure: error !== null };
  },
  jobs: async ({ sql, clock }) => {
    const givenUp = await listFailed(sql, clock);
    const failing = await listFailing(sql);
    const waiting = (await jobCounts(sql, clock)).filter(({ due }) => due > 0);
    const sum = waiting.reduce((total, { due }) => total + due, 0);
    return {
      lines: [
        ...givenUp.map((job) => `${jobLine(job)}  ${job.failed_at?.toISOString()}  ${job.last_error}`),
        ...(givenUp.length === 0 ? [`None was given up; ${counted(sum, 'waits', 'wait')}.`] : []),
        ...failing.map(
          (job) =>
            `${jobLine(job)}  fails since ${job.failing_since?.toISOString()}, is tried again  ${job.last_error}`,
        ),
        ...waiting.map(
          ({ kind, due, oldestDueSeconds: age }) =>
            `${counted(due, `${kind} job waits`, `${kind} jobs wait`)}, the oldest for ${age} s`,
        ),
      ],
      data: { given_up: givenUp, failing, waiting },
    };
  },
  'keys list': async ({ sql, clock }) => {
    const now = clock.now();
    const keys = (await listKeys(sql, now)).map(({ sealed_key: _, created_at: _at, ...key }) => key);
    return listed(
      keys,
      ({ kid, algorithm, signs_from: from, retires_at: end }) => {
        const start = `${from > now ? 'signs from' : 'signs since'} ${from.toISOString()}`;
        return `${kid}  ${algorithm}  ${start}${end ? `, leaves at ${end.toISOString()}` : ''}`;
      },
      'There are none yet. The first sign-in makes them.',
    );
  },
} satisfies Partial<Looks>;
