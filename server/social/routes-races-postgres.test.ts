import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UserId } from '#contract/wire.ts';
import { brokenPromises, browserAt, CROWDS, RACE_TIMEOUT, together } from '#server/testing/races.ts';
import {
  comeBack,
  goAndStop,
  newSubject,
  signInWith,
  type SocialApp,
  startSocialApp,
  whoIs,
} from '#server/testing/social-app.ts';
import { startBeside, type TestApp } from '#server/testing/start-app.ts';

let one: SocialApp;
let pair: readonly [TestApp, TestApp];
beforeAll(async () => {
  one = await startSocialApp();
  pair = [one, await startBeside(one)];
});
afterAll(async () => {
  await pair[1].close();
  await one.close();
});

const idsOf = async (subject: string) => {
  const rows = one.deps.sql.selectFrom('social_identities').select('user_id').where('subject', '=', subject);
  return (await rows.execute()).map(({ user_id: id }) => id);
};
const sessionsOf = async (id: UserId) =>
  (await one.deps.sql.selectFrom('sessions').select('id').where('user_id', '=', id).execute()).length;

describe.for(CROWDS)('$crowd at once', ({ crowd, rounds, longRounds }) => {
  test('use one return: one of them is let in (F5)', RACE_TIMEOUT, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const id = newSubject();
      one.facebook.person = { id };
      const visitor = one.visitor();
      const path = await goAndStop(one, visitor, 'facebook');
      const pages = await together(pair, crowd, (app) => comeBack(browserAt(app, visitor), path));
      const count = (wanted: number) => pages.filter(({ status }) => status === wanted).length;
      expect([count(200), count(400)]).toEqual([1, crowd - 1]);
      const [owner, ...others] = await idsOf(id);
      expect([others, await sessionsOf(owner as UserId)]).toEqual([[], 1]);
    }
    expect(await brokenPromises(one)).toEqual([]);
  });

  test(
    'come for the first time, each by their own return: one account for all (F6)',
    RACE_TIMEOUT,
    async () => {
      for (let round = 0; round < longRounds; round += 1) {
        const id = newSubject();
        one.facebook.person = { id };
        const visitors = Array.from({ length: crowd }, () => one.visitor());
        const paths = await Promise.all(visitors.map((visitor) => goAndStop(one, visitor, 'facebook')));
        const pages = await together(pair, crowd, (app, at) =>
          comeBack(browserAt(app, visitors[at] ?? one.visitor()), paths[at] ?? ''),
        );
        expect(new Set(pages.map(({ title }) => title))).toEqual(new Set(['You are signed in']));
        const [owner, ...others] = await idsOf(id);
        expect([others, await sessionsOf(owner as UserId)]).toEqual([[], crowd]);
      }
      expect(await brokenPromises(one)).toEqual([]);
    },
  );
});

test('a return that is under way when the identity is taken away comes to nothing (C6)', async () => {
  const id = newSubject();
  one.facebook.person = { id };
  await signInWith(one, one.visitor(), 'facebook');
  const [owner] = await idsOf(id);
  const visitor = one.visitor();
  const path = await goAndStop(one, visitor, 'facebook');
  const waiting = () =>
    sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      one.deps.sql,
    );
  const page = await one.deps.sql.transaction().execute(async (tx) => {
    await tx
      .selectFrom('users')
      .select('id')
      .where('id', '=', owner as UserId)
      .forNoKeyUpdate()
      .execute();
    const returning = comeBack(visitor, path);
    await expect.poll(async () => (await waiting()).rows.length).toBe(1);
    await tx.deleteFrom('social_identities').where('subject', '=', id).execute();
    return [returning];
  });
  expect((await page[0])?.status).toBe(400);
  expect(await whoIs(visitor)).toBeNull();
});
