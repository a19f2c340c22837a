import { expect, test } from 'vitest';
import { setPaused } from './data-clients.ts';
import { insertRecord } from './data-records.ts';
import { transaction } from '#server/db/connect.ts';
import { deleteSessionsOf } from '#server/sessions/data.ts';
import { ask, redeem, setting, VERIFIER } from '#server/testing/applications.ts';
import { deleteRows } from '#server/testing/rows.ts';
import { useApp } from '#server/testing/use-app.ts';
import { whileWaiting } from '#server/testing/waiting.ts';

const app = useApp();

/** The tokens of one sign-in, whose code was swept, and a token that a concurrent request adds to them. */
async function world() {
  const at = await setting(app);
  const location = await ask(at, { scope: 'openid offline_access' });
  await redeem(app, at.application, location.searchParams.get('code') ?? '', VERIFIER);
  const { id, clientId } = at.application;
  await deleteRows(app, 'provider_records', { kind: 'AuthorizationCode' });
  const records = app.deps.sql.selectFrom('provider_records').where('application_id', '=', id);
  const { family, grant_id: grantId } = await records
    .select(['family', 'grant_id'])
    .where('family', 'is not', null)
    .executeTakeFirstOrThrow();
  if (!family || !grantId) throw new Error('the sign-in left no tokens');
  const grants = app.deps.sql.selectFrom('application_grants').select('user_id').where('id', '=', grantId);
  const { user_id: userId } = await grants.executeTakeFirstOrThrow();
  const late = { kind: 'RefreshToken', id: `late ${id}`, payload: {}, expiresAt: new Date('2100-01-01') };
  const token = { ...late, clientId, grantId, family };
  const count = async () => (await records.select('kind').where('grant_id', 'is not', null).execute()).length;
  return { id, userId, token, count };
}

test('a token waits for a pause of its application, and is refused (P7)', async () => {
  const { id, token, count } = await world();
  const isWritten = await whileWaiting(
    app,
    (tx) => tx.selectFrom('applications').select('id').where('id', '=', id).forUpdate().execute(),
    () => insertRecord(app.deps, token),
    (tx) => setPaused(tx, id, app.clock.now()),
  );
  expect([isWritten, await count()]).toEqual([false, 0]);
});

test('a reset also ends a token that is written at the same time (P7)', async () => {
  const { userId, token, count } = await world();
  await whileWaiting(
    app,
    (tx) => insertRecord({ ...app.deps, sql: tx }, token),
    () => transaction(app.deps.sql, (tx) => deleteSessionsOf(tx, userId)),
    async () => undefined,
  );
  expect(await count()).toBe(0);
});
