import { type ChainedRow, canonicalJson, chainOf, linkText } from '#server/activity/rules.ts';
import { type Anchor, readAnchors } from './anchors.ts';
import {
  type ChainEnd,
  findEnd,
  findMacs,
  findRightlyEmpty,
  type Link,
  listChains,
  listLinks,
} from './data.ts';
import type { Deps } from '#server/deps.ts';
import { everyKey, type FormerKey } from '#server/db/former-keys.ts';
import { mac } from '#server/keys.ts';

type ChainProblem =
  | 'a gap'
  | 'in the wrong chain'
  | 'sealed with an unknown key'
  | 'another text'
  | 'an emptied text'
  | 'a broken link'
  | 'a cut tail'
  | 'rows past its end'
  | 'not as it was anchored'
  | 'anchored, and gone'
  | 'no such chain';
type BrokenChain = {
  readonly chain: string;
  /** The first wrong row, or the last right row if rows are missing at the end. */
  readonly position: number;
  readonly problem: ChainProblem;
};

type Verifying = Pick<Deps, 'sql' | 'keys' | 'clock'> & { readonly config: Pick<Deps['config'], 'dataDir'> };

const CHAINS_AT_ONCE = 100;
const ROWS_AT_ONCE = 500;
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** Yields the first wrong row of each chain, then compares with the anchors. In pages, so that others can write. */
export async function* brokenChains(deps: Verifying, only?: string): AsyncGenerator<BrokenChain> {
  const keys = await everyKey(deps.sql, deps.keys);
  let isKnown = only === undefined || (await findEnd(deps.sql, only)) !== undefined;
  for await (const chain of only === undefined ? everyChain(deps) : [only]) {
    const broken = await firstBroken(deps, keys, chain);
    if (broken) yield { chain, ...broken };
  }
  let anchored: Anchor[] = [];
  for await (const end of readAnchors(deps.config.dataDir)) {
    if (only !== undefined && end.chain !== only) continue;
    isKnown = true;
    anchored.push(end);
    if (anchored.length < ROWS_AT_ONCE) continue;
    yield* notAsAnchored(deps, anchored);
    anchored = [];
  }
  yield* notAsAnchored(deps, anchored);
  if (only !== undefined && !isKnown) yield { chain: only, position: 0, problem: 'no such chain' };
}

async function* everyChain({ sql }: Verifying) {
  for (let after = ''; ;) {
    const page = await listChains(sql, after, CHAINS_AT_ONCE);
    for (const { chain } of page) yield chain;
    const last = page.at(-1);
    if (!last) return;
    after = last.chain;
  }
}

async function* notAsAnchored({ sql }: Verifying, anchored: readonly Anchor[]) {
  const macs = await findMacs(sql, anchored);
  for (const { chain, length, head } of anchored)
    if (macs.get(`${chain} ${length}`) !== head) {
      const problem = (await findEnd(sql, chain)) ? 'not as it was anchored' : 'anchored, and gone';
      yield { chain, position: length, problem } as const;
    }
}

type Break = Omit<BrokenChain, 'chain'>;
type LastLink = { readonly length: number; readonly head: string };

async function firstBroken(
  { sql, clock }: Verifying,
  keys: readonly FormerKey[],
  chain: string,
): Promise<Break | undefined> {
  let last: LastLink = { length: 0, head: '' };
  for (;;) {
    // Read before the rows, so every row up to this end exists. Rows added later only lengthen the walk.
    const end = await findEnd(sql, chain);
    const page = await listLinks(sql, chain, last.length, ROWS_AT_ONCE);
    if (page.length === 0) return end && endProblem(last, end);
    const rightlyEmpty = await findRightlyEmpty(sql, page, clock.now());
    for (const row of page) {
      const problem = problemOf(row, last, keys, rightlyEmpty);
      if (problem) return { position: row.position, problem };
      last = { length: row.position, head: hex(row.mac) };
    }
  }
}

function endProblem({ length: position, head }: LastLink, end: ChainEnd): Break | undefined {
  if (position > end.length) return { position: end.length + 1, problem: 'rows past its end' };
  if (position < end.length || head !== hex(end.head)) return { position, problem: 'a cut tail' };
  return undefined;
}

function problemOf(
  row: Link,
  before: LastLink,
  keys: readonly FormerKey[],
  rightlyEmpty: ReadonlySet<number>,
): ChainProblem | undefined {
  if (row.position !== before.length + 1) return 'a gap';
  if (row.chain !== chainOf(row.org_id, row.user_id)) return 'in the wrong chain';
  const key = keys.find(({ id }) => id === row.key_id);
  if (!key) return 'sealed with an unknown key';
  const text = canonicalJson(row.information);
  const textMac = mac(key.derive('activity-information'), text);
  if (!textMac.equals(row.information_mac)) {
    if (text !== '{}') return 'another text';
    if (!rightlyEmpty.has(row.id)) return 'an emptied text';
  }
  const link = mac(key.derive('activity-chain'), linkText(chainedRow(row), before.head));
  return link.equals(row.mac) ? undefined : 'a broken link';
}

const chainedRow = (row: Link): ChainedRow => ({
  chain: row.chain,
  position: row.position,
  orgId: row.org_id,
  userId: row.user_id,
  createdAt: row.created_at,
  module: row.module,
  activityType: row.activity_type,
  action: row.action,
  recordId: row.record_id,
  informationMac: hex(row.information_mac),
  keyId: row.key_id,
});
