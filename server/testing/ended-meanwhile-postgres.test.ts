import { beforeAll, describe, expect, test } from 'vitest';
import type { UserId } from '#contract/wire.ts';
import { skipDrawing } from './icons.ts';
import { buildWorld, inputOf } from './matrix-world.ts';
import { calls } from './matrix.ts';
import { send } from './send.ts';
import { fingerprint } from './untouched.ts';
import { useApp } from './use-app.ts';
import { whileWaiting } from './waiting.ts';

// A call that writes is refused if its session ends during the call.

const app = useApp({ RATE_LIMIT_FACTOR: '100' });
beforeAll(() => skipDrawing(app));

const writing = calls.filter(
  ({ call, row }) => row.writes && !row.refused.superAdmin && call.access !== 'public',
);

describe.each(writing)('$feature $name', ({ call, row }) => {
  test('writes nothing for a session that ends during the call (D6)', async () => {
    const world = await buildWorld(app);
    const visitor = world.visitors.superAdmin;
    const { response } = (await visitor.get('/api/ustat')).body as { response: { id: UserId } };
    const input = await inputOf(call, row, world);
    const { sessions: _before, ...before } = await fingerprint(app.deps.sql);
    const answer = await whileWaiting(
      app,
      (tx) => tx.deleteFrom('sessions').where('user_id', '=', response.id).execute(),
      () => send(visitor, call, input),
      async () => undefined,
    );
    expect([answer.status, answer.code]).toEqual([401, 'not_signed_in']);
    const { sessions: _after, ...after } = await fingerprint(app.deps.sql);
    expect(after).toEqual(before);
  });
});
