import { jobText } from '#words/job.ts';
import type { UserId } from '#contract/wire.ts';
import { fromNow, MINUTE_MS } from '#server/clock.ts';
import type { Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { addNews, leaveLane, listNews, type News, type NewsInEach } from './data.ts';
import { inLanguage, languageNow } from '#server/language.ts';
import { enqueueUnlessWaiting } from './enqueue.ts';

/** After a mail, further changes wait this long and then send one mail. */
export const QUIET_MS = 10 * MINUTE_MS;

type Quiet = {
  readonly kind: string;
  readonly lane: string;
  readonly payload: object;
  readonly userId?: UserId;
};
/** Returns true, or adds the news, if any, to the running one. Callers should hold one lock, or two may start at once. */
export async function startQuiet(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'config'>,
  job: Quiet,
  write: (() => News) | undefined,
) {
  const payload = { ...job.payload, news: [], more: 0 };
  if (await enqueueUnlessWaiting(tx, deps, { ...job, payload, runAt: fromNow(deps.clock, QUIET_MS) }))
    return true;
  if (!write) return false;
  const { languages } = deps.config;
  const inEach = languages.map((language) => [language, inLanguage(language, () => newsOf(write()))]);
  await addNews(tx, job.lane, Object.fromEntries(inEach) as NewsInEach);
  return false;
}

const newsOf = ({ subject, paragraphs }: News): News => ({ subject, paragraphs });

/** Writes what waited as one mail. Undefined if nothing waited, or an earlier run returned it before a crash. */
export async function endQuiet(
  tx: Tx,
  jobId: number,
  subject: () => string,
): Promise<(() => News) | undefined> {
  if (!(await leaveLane(tx, jobId))) return undefined;
  const { news, more } = await listNews(tx, jobId);
  if (news.length === 0) return undefined;
  return () => {
    const texts = news.map((inEach) => inEach[languageNow()] ?? Object.values(inEach)[0]);
    const [only] = texts;
    if (only && texts.length === 1) return only;
    const paragraphs = texts.flatMap((one) => one?.paragraphs ?? []);
    return {
      subject: subject(),
      paragraphs: more > 0 ? [...paragraphs, jobText.more({ count: more })] : paragraphs,
    };
  };
}
