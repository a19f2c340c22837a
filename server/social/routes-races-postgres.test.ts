import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { UserId } from '#contract/wire.ts';
import { lockProfile } from '#server/accounts/data.ts';
import { insertIdentity } from '#server/sign-in/identities/data.ts';
import { addPasskey } from '#server/testing/authenticator.ts';
import {
  brokenPromises,
  browserAt,
  CROWDS,
  RACE_TIMEOUT,
  roundsOr,
  tally,
  together,
} from '#server/testing/races.ts';
import { listRows } from '#server/testing/rows.ts';
import {
  comeBack,
  goAndStop,
  linkWaiting,
  googler,
  newSubject,
  signInWith,
  startSocialApp,
  whoIs,
} from '#server/testing/social-app.ts';
import { confirmed, newEmail } from '#server/testing/people.ts';
import { useServer } from '#server/testing/use-app.ts';
import { whileWaiting } from '#server/testing/waiting.ts';
import { startBeside } from '#server/testing/start-app.ts';

const one = useServer(startSocialApp);
const pair = [one, useServer(() => startBeside(one))] as const;

const idsOf = async (subject: string) => {
  return (await listRows(one, 'social_identities', ['user_id'], { subject })).map(({ user_id: id }) => id);
};
const sessionsOf = async (id: UserId) => (await listRows(one, 'sessions', ['id'], { user_id: id })).length;

describe.for(CROWDS)('$crowd concurrent calls', ({ crowd, rounds }) => {
  test('with one return sign in once (F5)', RACE_TIMEOUT, async () => {
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

  test('with first returns of one person make one account (F6)', RACE_TIMEOUT, async () => {
    for (let round = 0; round < rounds; round += 1) {
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
  });
});

test.each(['a passkey', 'Facebook'])(
  'of Google and %s, removed at two processes, one stays as the last way in',
  RACE_TIMEOUT,
  async (other) => {
    for (let round = 0; round < roundsOr(5); round += 1) {
      const visitor = one.visitor();
      one.google.person = googler();
      await signInWith(one, visitor, 'google');
      one.facebook.person = { id: newSubject() };
      const passkey = other === 'a passkey' ? await addPasskey(visitor, one.url) : undefined;
      if (!passkey) await signInWith(one, visitor, 'facebook');
      const answers = await together(pair, 2, (app, at) => {
        const browser = browserAt(app, visitor);
        if (at === 0) return browser.delete('/api/auth/linked', { provider: 'google' });
        return passkey
          ? browser.send('DELETE', '/api/passkeys', { body: { id: passkey.id.toString('base64url') } })
          : browser.delete('/api/auth/linked', { provider: 'facebook' });
      });
      expect(tally(answers)).toEqual({ ok: 1, last_way_in: 1 });
    }
  },
);

test.each(['users', 'social_identities'])(
  'a first return that waits for %s signs in to the account that another one made meanwhile (F6)',
  async (table) => {
    const person = googler();
    one.google.person = person;
    await signInWith(one, one.visitor(), 'google');
    const [owner] = await idsOf(person.sub);
    const users = one.deps.sql.updateTable('users').where('id', '=', owner as UserId);
    const identities = one.deps.sql.deleteFrom('social_identities').where('user_id', '=', owner as UserId);
    const [identity] = await identities.returningAll().execute();
    await users.set({ email: newEmail('elsewhere') }).execute();
    const visitor = one.visitor();
    const path = await goAndStop(one, visitor, 'google');
    const page = await whileWaiting(
      one,
      (tx) => sql`lock table ${sql.table(table)}`.execute(tx),
      () => comeBack(visitor, path),
      async (tx) => {
        await tx
          .insertInto('social_identities')
          .values(identity as never)
          .execute();
        await tx
          .updateTable('users')
          .set({ email: person.email })
          .where('id', '=', owner as UserId)
          .execute();
      },
    );
    expect(page.title).toBe('You are signed in');
    expect((await whoIs(visitor))?.id).toBe(owner);
  },
);

test('a return under way is refused when its identity is removed (C6)', async () => {
  const id = newSubject();
  one.facebook.person = { id };
  await signInWith(one, one.visitor(), 'facebook');
  const [owner] = await idsOf(id);
  const visitor = one.visitor();
  const path = await goAndStop(one, visitor, 'facebook');
  const page = await whileWaiting(
    one,
    (tx) => lockProfile(tx, owner as UserId),
    () => comeBack(visitor, path),
    (tx) => tx.deleteFrom('social_identities').where('subject', '=', id).execute(),
  );
  expect(page.status).toBe(400);
  expect(await whoIs(visitor)).toBeNull();
});

test('an identity that another call links to the same account meanwhile counts as linked', async () => {
  const person = await confirmed(one);
  const subject = newSubject();
  one.facebook.person = { id: subject };
  const page = await signInWith(one, person.visitor, 'facebook');
  const userId = person.id as UserId;
  const identity = { provider: 'facebook', subject, user_id: userId, created_at: one.clock.now() } as const;
  const answer = await whileWaiting(
    one,
    (tx) => lockProfile(tx, userId),
    () => linkWaiting(person.visitor, page),
    (tx) => insertIdentity(tx, identity),
  );
  expect(answer.status).toBe(200);
});
