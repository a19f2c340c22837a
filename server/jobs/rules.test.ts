import { expect, test } from 'vitest';
import { chooseTurns, type Limits } from './rules.ts';

type Row = {
  readonly what: string;
  /** The due jobs, the oldest first; those with a `!` run. */
  readonly jobs: string;
  readonly limits?: Readonly<Record<string, Limits>>;
  readonly slots?: number;
  readonly lastTurns?: Readonly<Record<string, number>>;
  readonly chosen: string;
};
const ann = { ann: 2 };
test.for<Row>([
  { what: 'receivers take turns', jobs: 'a a a b', chosen: 'a b a a' },
  { what: 'the lanes of one receiver share its turn', jobs: 'a.1 a.2 a.3 b.1', chosen: 'a.1 b.1 a.2 a.3' },
  { what: 'a receiver with jobs under way waits', jobs: 'a! a! a b b b', slots: 3, chosen: 'b b a' },
  { what: 'the last turn decides', jobs: 'a b c', slots: 1, lastTurns: { a: 2, b: 1, c: 3 }, chosen: 'b' },
  { what: 'a shared limit', jobs: 'a b c d', limits: { a: ann, b: ann, c: ann }, chosen: 'a b d' },
  { what: 'running jobs count', jobs: 'a! b! c d', limits: { a: ann, b: ann, c: ann }, chosen: 'd' },
  {
    what: 'a job needs room under each name, and takes none if one is full',
    jobs: 'a b c d',
    limits: { a: { x: 1 }, b: { x: 1, ann: 1 }, c: { ann: 1 } },
    chosen: 'a c d',
  },
  { what: 'a lane with limit 0 is held back', jobs: 'a b', limits: { a: { paused: 0 } }, chosen: 'b' },
])('$what', ({ jobs, limits = {}, slots = 9, lastTurns = {}, chosen }) => {
  const all = jobs
    .split(' ')
    .map((word, id) => ({ id, lane: word.replace('!', ''), isRunning: word.endsWith('!') }));
  const choice = chooseTurns(all, {
    limitsOf: (lane) => limits[lane] ?? {},
    lastTurnOf: (receiver) => lastTurns[receiver] ?? 0,
    limit: slots,
  });
  expect(choice.map(({ lane }) => lane).join(' ')).toBe(chosen);
});
