import { beforeAll, describe, expect, test } from 'vitest';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import type { MemberId, UserId } from '#contract/wire.ts';
import { storePending } from '#server/accounts/addresses/data.ts';
import { issueToken } from '#server/accounts/tokens/data.ts';
import { HOUR_MS, SECOND_MS } from '#server/clock.ts';
import { transaction } from '#server/db/connect.ts';
import { invitedId } from '#server/stand-in.ts';
import {
  type Boss,
  founder,
  mailedDigest,
  newEmail,
  PASSWORD,
  type Person,
  signedUp,
} from '#server/testing/people.ts';
import { plantedDigest, plantedPerson } from '#server/testing/planted.ts';
import {
  browserAt,
  CROWDS,
  mailsOfBoth,
  oneAnd,
  type Pair,
  RACE_TIMEOUT,
  repeat,
  roundsOr,
  tally,
  together,
  usePair,
} from '#server/testing/races.ts';
import { getRow, listRows } from '#server/testing/rows.ts';

const pair = usePair({ RATE_LIMIT_FACTOR: '1000000', MAX_MEMBERS_PER_ORG: '100000' });

/** A person with a pending address and the digest of its link. */
async function personWithPending(email: string) {
  const person = await plantedPerson(pair[0]);
  const { deps } = pair[0];
  const userId = person.id as UserId;
  const mailed = () =>
    transaction(deps.sql, async (tx) => {
      await storePending(tx, userId, email, deps.clock.now());
      const token = { purpose: 'change-email', userId, subject: email, lifeMs: HOUR_MS } as const;
      return (await issueToken(tx, deps, token)).digest;
    });
  let digest = await mailed();
  const claim = (app: Pair[0]) => browserAt(app, person.visitor).post('/api/verifyemail', { digest });
  /** Opens a newer link. */
  const claimAgain = async () => {
    pair[0].clock.forward(SECOND_MS);
    digest = await mailed();
    return claim(pair[0]);
  };
  return { ...person, digest, claim, claimAgain };
}

const ownersOf = (email: string) => listRows(pair[0], 'users', ['id'], { email });
const addressOf = async ({ id }: Person) => (await getRow(pair[0], 'users', ['email'], { id })).email;

describe.for(CROWDS)('$rounds rounds of $crowd at once', ({ crowd, rounds }) => {
  test('only one of many people gets the address they all move to (K6, C8)', RACE_TIMEOUT, () =>
    repeat(pair, rounds, async () => {
      const email = newEmail('wanted');
      const people = await Promise.all(Array.from({ length: crowd }, () => personWithPending(email)));
      const answers = await together(pair, crowd, (app, at) => {
        const { visitor, digest } = people[at] as (typeof people)[number];
        return browserAt(app, visitor).post('/api/verifyemail', { digest });
      });
      // A link is refused because the address is taken, or because the winner has ended it already.
      const { ok, email_id_exist = 0, digest_invalid = 0 } = tally(answers);
      expect([ok, email_id_exist + digest_invalid]).toEqual([1, crowd - 1]);
      expect(await ownersOf(email)).toHaveLength(1);
      const unchanged = await Promise.all(
        people.map(async (person) => (await addressOf(person)) === person.email),
      );
      expect(unchanged.filter(Boolean)).toHaveLength(crowd - 1);
    }),
  );

  test('between a move to an address and a sign-up with it the mailbox decides (K6)', RACE_TIMEOUT, () =>
    repeat(pair, rounds, async () => {
      const email = newEmail('wanted');
      const { visitor, digest, id } = await personWithPending(email);
      const answers = await together(pair, crowd, (app, at) =>
        at === 0
          ? browserAt(app, visitor).post('/api/verifyemail', { digest })
          : app.visitor().post('/api/signup', { emailId: email, password: PASSWORD, timezone: '' }),
      );
      // Sign-up alone proves nothing, so an account that came first loses the address.
      const [moved, ...signUps] = answers;
      expect(moved?.code).toBeUndefined();
      expect(tally(signUps).ok ?? 0).toBeLessThanOrEqual(1);
      expect(await ownersOf(email)).toEqual([{ id }]);
    }),
  );

  test('a link works once', RACE_TIMEOUT, () =>
    repeat(pair, rounds, async () => {
      const email = newEmail('wanted');
      const { visitor, digest } = await personWithPending(email);
      const answers = await together(pair, crowd, (app) =>
        browserAt(app, visitor).post('/api/verifyemail', { digest }),
      );
      expect(tally(answers)).toEqual(oneAnd(crowd, 'digest_invalid'));
    }),
  );

  test('an address that was taken back stays the account’s, whichever call is first', RACE_TIMEOUT, () =>
    repeat(pair, rounds, async () => {
      const person = await personWithPending(newEmail('wanted'));
      const digest = await plantedDigest(pair[0], person, 'restore-email');
      const answers = await together(pair, crowd, (app, at) =>
        at % 2 === 0
          ? app.visitor().post('/api/restoreemail', { digest })
          : browserAt(app, person.visitor).post('/api/verifyemail', { digest: person.digest }),
      );
      const restored = answers.filter((_, at) => at % 2 === 0);
      expect(tally(restored)).toEqual(crowd === 2 ? { ok: 1 } : oneAnd(restored.length, 'digest_invalid'));
      expect(await addressOf(person)).toBe(person.email);
      expect((await browserAt(pair[1], person.visitor).get('/api/user')).code).toBe('not_signed_in');
    }),
  );
});

describe('unproven addresses', () => {
  // A person proves an address that others hold without proof, while those others use it.

  let bosses: readonly Boss[];
  const roleIds = new Map<number, number>();
  beforeAll(async () => {
    bosses = [await founder(pair[0]), await founder(pair[0]), await founder(pair[0])];
    for (const { orgId } of bosses) {
      const role = await getRow(pair[0], 'roles', ['id'], { kind: 'admin', org_id: orgId });
      roleIds.set(orgId, role.id);
    }
  });

  const ROUNDS = roundsOr(5);

  const invite = (boss: Boss, app: Pair[0], email_id: string) =>
    browserAt(app, boss.visitor).post('/api/orgusers', {
      org_id: boss.orgId,
      role_id: roleIds.get(boss.orgId),
      first_name: 'Tom',
      email_id,
    });
  const ownersOf = async (email: string) =>
    (await listRows(pair[0], 'users', ['id'], { email })).map(({ id }) => Number(id));
  const invitedAt = (email: string) =>
    listRows(pair[0], 'memberships', ['id', 'user_id', 'status'], { email_key: email });

  describe('proving an address at the moment when', () => {
    test('organizations invite it: every invitation goes to the person', RACE_TIMEOUT, () =>
      repeat(pair, ROUNDS, async () => {
        const email = newEmail('wanted');
        const person = await personWithPending(email);
        const [first, ...others] = bosses as [Boss, ...Boss[]];
        await invite(first, pair[0], email);
        const answers = await together(pair, others.length + 1, (app, at) => {
          const boss = others[at - 1];
          return boss ? invite(boss, app, email) : person.claim(app);
        });
        const [claimed, ...invitations] = answers;
        expect(tally(invitations)).toEqual({ ok: others.length });
        // An invitation that came first asks for a newer link.
        const last = claimed?.code === 'digest_invalid' ? await person.claimAgain() : claimed;
        expect(last?.code).toBeUndefined();
        expect(await ownersOf(email)).toEqual([person.id]);
        const invited = await invitedAt(email);
        expect(invited.map(({ user_id }) => Number(user_id))).toEqual(bosses.map(() => person.id));
        await mailsOfBoth(pair, email);
      }),
    );

    test(
      'its invitation is withdrawn: the invitation is gone, and the address is the person’s',
      RACE_TIMEOUT,
      () =>
        repeat(pair, ROUNDS, async () => {
          const email = newEmail('wanted');
          const [boss] = bosses as [Boss];
          await invite(boss, pair[0], email);
          const person = await personWithPending(email);
          const [row] = await invitedAt(email);
          const [claimed, withdrawn] = await together(pair, 2, (app, at) =>
            at === 0
              ? person.claim(app)
              : browserAt(app, boss.visitor).delete('/api/orgusers', {
                  org_id: boss.orgId,
                  del_user_id: invitedId(row?.id as MemberId),
                }),
          );
          expect(claimed?.code).toBeUndefined();
          expect(await ownersOf(email)).toEqual([person.id]);
          // A withdrawal names the invitation, so it works for the new person too.
          expect(withdrawn?.code).toBeUndefined();
          expect(await invitedAt(email)).toEqual([]);
        }),
    );

    test(
      'the invited person opens their link: one of the two has the address and the seat',
      RACE_TIMEOUT,
      () =>
        repeat(pair, ROUNDS, async () => {
          const email = newEmail('wanted');
          const [boss] = bosses as [Boss];
          await invite(boss, pair[0], email);
          const digest = await mailedDigest(pair[0], email);
          const person = await personWithPending(email);
          const [claimed, came] = await together(pair, 2, (app, at) =>
            at === 0
              ? person.claim(app)
              : app.visitor().post('/api/resetpassword', { digest, password: PASSWORD, timezone: '' }),
          );
          const [member, ...more] = await invitedAt(email);
          expect(more).toEqual([]);
          expect(await ownersOf(email)).toEqual([Number(member?.user_id)]);
          const isClaimed = claimed?.code === undefined;
          expect([claimed?.code, came?.code]).toEqual(
            isClaimed ? [undefined, 'digest_invalid'] : ['email_id_exist', undefined],
          );
          expect(member?.status).toBe(isClaimed ? MEMBER_STATUS.invited : MEMBER_STATUS.active);
        }),
    );

    test('the person who signed up with it proves it: the first proof counts', RACE_TIMEOUT, () =>
      repeat(pair, ROUNDS, async () => {
        const rival = await signedUp(pair[0]);
        const own = await mailedDigest(pair[0], rival.email);
        const person = await personWithPending(rival.email);
        const [claimed, confirmed] = await together(pair, 2, (app, at) =>
          at === 0
            ? person.claim(app)
            : browserAt(app, rival.visitor).post('/api/verifyemail', { digest: own }),
        );
        const isClaimed = claimed?.code === undefined;
        expect([claimed?.code, confirmed?.code]).toEqual(
          isClaimed ? [undefined, 'digest_invalid'] : ['email_id_exist', undefined],
        );
        expect(await ownersOf(rival.email)).toEqual([isClaimed ? person.id : rival.id]);
      }),
    );
  });
});
