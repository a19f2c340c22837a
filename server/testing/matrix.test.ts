import { beforeAll, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { codeOf, errors } from '#contract/errors.ts';
import { skipDrawing } from './icons.ts';
import { type Actor, actors, buildWorld, type Row } from './matrix-world.ts';
import { matrix } from './matrix.ts';
import { send } from './send.ts';
import { fingerprint } from './untouched.ts';
import { useApp } from './use-app.ts';

// This tests permissions, not rate limits.
const app = useApp({ RATE_LIMIT_FACTOR: '100' });
beforeAll(() => skipDrawing(app));

// Rights do not depend on the engine, so beside PostgreSQL one caller makes each call.
const { TEST_ENGINE, TEST_POSTGRES_URL, EVERY_ENGINE } = process.env;
const isBesidePostgres = TEST_ENGINE === 'pglite' && TEST_POSTGRES_URL && !EVERY_ENGINE;
const callers: readonly Actor[] = isBesidePostgres ? ['superAdmin'] : actors;

const rows: Record<string, Record<string, Row>> = matrix;
const calls = Object.entries<Record<string, Endpoint>>(api).flatMap(([feature, group]) =>
  Object.entries(group).map(([name, call]) => ({
    name: `${feature}.${name}`,
    call,
    row: rows[feature]?.[name],
  })),
);

test('every call has a row, and every row a call (G1)', () => {
  const rowNames = Object.entries(rows).flatMap(([feature, group]) =>
    Object.keys(group).map((name) => `${feature}.${name}`),
  );
  expect(rowNames.toSorted()).toEqual(calls.map(({ name }) => name).toSorted());
});

describe.each(calls)('$name', ({ call, row }) => {
  test('answers each caller as the matrix says, and writes nothing for a refused one (G1)', async () => {
    if (!row) throw new Error('no row');
    const world = await buildWorld(app);
    const actual: Record<string, object> = {};
    const expected: Record<string, object> = {};
    for (const actor of callers) {
      const input = await row.input(world);
      const before = await fingerprint(app.deps.sql);
      const answer = await send(world.visitors[actor], call, input as Record<string, unknown>);
      const after = await fingerprint(app.deps.sql);
      const wrote = Object.keys(after).some((table) => after[table] !== before[table]);
      actual[actor] = { status: answer.status, code: answer.code, wrote };
      expected[actor] = expectedOf(call, row, actor, answer.status);
    }
    expect(actual).toEqual(expected);
  });
});

function expectedOf(call: Endpoint, row: Row, actor: Actor, status: number) {
  const refusal = row.refused[actor];
  if (refusal) return { status: errors[refusal].status, code: codeOf(refusal), wrote: false };
  const wrote = row.writes ?? (call.method !== 'GET' && !row.writesNothing);
  return { status: status === 204 ? 204 : 200, code: undefined, wrote };
}
