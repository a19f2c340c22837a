import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { UserId } from '#contract/wire.ts';
import { liftRestriction, restrict } from '#server/operator/actions.ts';
import { defaultRestrictionEnd } from '#server/operator/data.ts';
import { confirmed, deactivate, mailedDigest, type Person, signedUp } from '#server/testing/people.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';
import { subscribers } from './people.ts';

const app = useApp({ RATE_LIMIT_FACTOR: '100' });

const addressesOf = async (type: string) => (await subscribers(app.deps, [type])).lines;
const wants = async (person: Person, types: Record<number, 0 | 1>) => {
  responseOf(await person.visitor.put('/api/emailnotify', types));
  return person;
};

test('a subscriber of a mail type is listed while the account is open and the address confirmed', async () => {
  const by = { name: 'root' };
  const first = await wants(await confirmed(app), { 1: 1, 2: 1, 3: 0 });
  const second = await wants(await confirmed(app), { 1: 1 });
  const unproven = await wants(await signedUp(app), { 1: 1 });
  await confirmed(app);
  const addressless = await wants(await confirmed(app), { 1: 1 });
  await app.deps.sql
    .updateTable('users')
    .set({ email: null })
    .where('id', '=', addressless.id as UserId)
    .execute();
  expect((await addressesOf('product-updates')).toSorted()).toEqual([first.email, second.email].toSorted());
  expect(await addressesOf('product-offers')).toEqual([first.email]);
  expect(await subscribers(app.deps, ['promotional-updates'])).toEqual({ lines: [], data: [] });

  responseOf(
    await unproven.visitor.post('/api/verifyemail', { digest: await mailedDigest(app, unproven.email) }),
  );
  await wants(first, { 1: 0 });
  expect((await addressesOf('product-updates')).toSorted()).toEqual(
    [second.email, unproven.email].toSorted(),
  );
  await restrict(app.deps, by, second.id as UserId, defaultRestrictionEnd(app.deps));
  await deactivate(app, unproven);
  expect(await addressesOf('product-updates')).toEqual([]);
  await liftRestriction(app.deps, by, second.id as UserId);
  expect((await subscribers(app.deps, ['product-updates'])).data).toEqual([second.email]);
});

test('more subscribers than one batch are listed, each once', async () => {
  const many = 20_001;
  await sql`with added as (
    insert into users (email, created_at, confirmed_at)
    select 'subscriber' || at || '@northwind.example', now(), now() from generate_series(1, ${many}) as at returning id)
    insert into email_preferences (user_id, type, wanted) select id, 3, true from added`.execute(
    app.deps.sql,
  );
  const lines = await addressesOf('promotional-updates');
  expect([lines.length, new Set(lines).size]).toEqual([many, many]);
});
