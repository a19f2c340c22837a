import { beforeAll, describe, expect, test } from 'vitest';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import type { MemberId, UserId } from '#contract/wire.ts';
import { storePending } from '#server/accounts/addresses/data.ts';
import { issueToken } from '#server/accounts/tokens/data.ts';
import { HOUR_MS, SECOND_MS } from '#server/clock.ts';
import { transaction } from '#server/db/connect.ts';
import { invitedId } from '#server/stand-in.ts';
import { type Boss, founder, mailedDigest, newEmail, PASSWORD, signedUp } from '#server/testing/people.ts';
import { plantedPerson } from '#server/testing/planted.ts';
import {
  browserAt,
  mailsOfBoth,
  type Pair,
  RACE_TIMEOUT,
  repeat,
  roundsOr,
  usePair,
  tally,
  together,
} from '#server/testing/races.ts';
import { getRow, listRows } from '#server/testing/rows.ts';

// A person proves an address that others hold without proof, while those others use it.

let bosses: readonly Boss[];
const roleIds = new Map<number, number>();
const pair = usePair({ RATE_LIMIT_FACTOR: '1000000', MAX_MEMBERS_PER_ORG: '100000' });
beforeAll(async () => {
  bosses = [await founder(pair[0]), await founder(pair[0]), await founder(pair[0])];
  for (const { orgId } of bosses) {
    const role = await getRow(pair[0], 'roles', ['id'], { kind: 'admin', org_id: orgId });
    roleIds.set(orgId, role.id);
  }
});

const ROUNDS = roundsOr(15);

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
  return { ...person, claim, claimAgain };
}
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

  test('the invited person opens their link: one of the two has the address and the seat', RACE_TIMEOUT, () =>
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
