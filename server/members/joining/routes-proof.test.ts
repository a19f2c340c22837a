import { beforeEach, describe, expect, test } from 'vitest';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#server/clock.ts';
import { moved, self } from '#server/testing/addresses.ts';
import {
  type Boss,
  confirmed,
  founder,
  idOf,
  invited,
  mailedCode,
  mailedDigest,
  PASSWORD,
  type Person,
  twoStepPerson,
} from '#server/testing/people.ts';
import { getRow, updateRows } from '#server/testing/rows.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { untouched } from '#server/testing/untouched.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

// An invitation is for the person who reads the mailbox today. That may be another person than before.

const app = useApp({ ...lastingSessions, RATE_LIMIT_FACTOR: '100' });
let boss: Boss;
beforeEach(async () => {
  boss = await founder(app);
});

type Invitation = { id: number; link_needed?: number };
const invitationsOf = async ({ visitor }: Pick<Person, 'visitor'>) =>
  responseOf<Invitation[]>(await visitor.get('/api/invitations'));
const answer = ({ visitor }: Pick<Person, 'visitor'>, body: object) => visitor.post('/api/invitation', body);
const restore = (digest: string) => app.visitor().post('/api/restoreemail', { digest });
const wayBack = async (email: string) =>
  (await app.mails(email))
    .flatMap(({ text }) => /restoreemail\?digest=([\w-]+)/.exec(text)?.[1] ?? [])
    .at(-1) ?? '';
const members = () =>
  app.deps.sql
    .selectFrom('memberships')
    .select(['user_id', 'status', 'email_key'])
    .where('org_id', '=', boss.orgId as OrgId)
    .where('user_id', '<>', boss.id as UserId)
    .execute();
const signIn = async (email: string, password = PASSWORD) => {
  const visitor = app.visitor();
  responseOf(await visitor.post('/api/signin', { email_id: email, password, timezone: '' }));
  return { visitor };
};

describe('an invitation that is newer than the proof of the mailbox (H5)', () => {
  test('is not accepted by its id; the mailed link accepts it, and declining needs no proof', async () => {
    const person = await confirmed(app);
    app.clock.forward(DAY_MS);
    await invited(boss, { email: person.email });
    const [invitation] = await invitationsOf(person);
    expect(invitation).toMatchObject({ link_needed: 1 });
    const refused = await untouched(app, () => answer(person, { id: invitation?.id, accept: 1 }));
    expect([refused.status, refused.code]).toEqual([403, 'not_allowed']);
    expect(refused.body.error?.details).toMatch(/link in the email/);
    const digest = await mailedDigest(app, person.email);
    responseOf(await answer(person, { digest, accept: 1 }));

    const other = await confirmed(app);
    app.clock.forward(DAY_MS);
    await invited(boss, { email: other.email });
    responseOf(await answer(other, { id: (await invitationsOf(other))[0]?.id, accept: 0 }));
  });

  test('is accepted by its id after a later proof by a reset or a mailed code', async () => {
    const person = await confirmed(app);
    const careful = await twoStepPerson(app);
    app.clock.forward(DAY_MS);
    for (const { email } of [person, careful]) await invited(boss, { email });
    app.clock.forward(MINUTE_MS);
    responseOf(await app.visitor().post('/api/forgotpassword', { email_id: person.email }));
    const digest = await mailedDigest(app, person.email);
    const password = 'another sturdy arch';
    responseOf(await app.visitor().put('/api/resetpassword', { digest, password, timezone: '' }));
    const confirmedByReset = await signIn(person.email, password);

    const confirmedByCode = await signIn(careful.email);
    const otp = await mailedCode(app, careful.email);
    responseOf(await confirmedByCode.visitor.post('/api/verifyotp', { contact: '', otp, timezone: '' }));
    for (const invitee of [confirmedByReset, confirmedByCode]) {
      const [invitation] = await invitationsOf(invitee);
      expect(invitation).not.toHaveProperty('link_needed');
      responseOf(await answer(invitee, { id: invitation?.id, accept: 1 }));
    }
  });

  test('is not accepted by its id after a link that was mailed before the invitation and opened after it', async () => {
    const person = await confirmed(app);
    responseOf(await app.visitor().post('/api/forgotpassword', { email_id: person.email }));
    const digest = await mailedDigest(app, person.email);
    app.clock.forward(10 * MINUTE_MS);
    await invited(boss, { email: person.email });
    const password = 'another sturdy arch';
    responseOf(await app.visitor().put('/api/resetpassword', { digest, password, timezone: '' }));
    const again = await signIn(person.email, password);
    const [invitation] = await invitationsOf(again);
    expect((await answer(again, { id: invitation?.id, accept: 1 })).code).toBe('not_allowed');
  });

  test('is not accepted by its id after “this wasn’t me” of an older mail led to a new password', async () => {
    const person = await twoStepPerson(app);
    const old = await mailedDigest(app, person.email);
    app.clock.forward(DAY_MS);
    await invited(boss, { email: person.email });
    app.clock.forward(HOUR_MS);
    const { digest } = responseOf<{ digest: string }>(
      await app.visitor().post('/api/notme', { digest: old }),
    );
    const password = 'another sturdy arch';
    responseOf(await app.visitor().put('/api/resetpassword', { digest, password, timezone: '' }));
    const { confirmed_at: provenAt } = await getRow(app, 'users', ['confirmed_at'], { id: person.id });
    expect(provenAt?.getTime()).toBeLessThan(app.clock.now().getTime() - DAY_MS);
  });
});

describe('an old restore link to an address that belongs to another person by now (H6)', () => {
  test('does not give the address back once somebody has invited it', async () => {
    const mover = await confirmed(app);
    const former = mover.email;
    const newEmail = await moved(app, mover);
    const link = await wayBack(former);
    app.clock.forward(DAY_MS);
    await invited(boss, { email: former });
    app.clock.forward(HOUR_MS);
    const refused = await restore(link);
    expect([refused.status, refused.code]).toEqual([409, 'email_id_exist']);
    expect(await self(mover)).toMatchObject({ email: newEmail });
    expect(await invitationsOf(mover)).toEqual([]);
    const guest = await idOf(app, former);
    expect(await members()).toEqual([{ user_id: guest, status: MEMBER_STATUS.invited, email_key: former }]);
    // The person who reads the mailbox today uses the invitation.
    const mail = (await app.mails(former)).find(({ subject }) => subject.startsWith('You are invited'));
    const digest = /digest=([\w-]+)/.exec(mail?.text ?? '')?.[1];
    const visitor = app.visitor();
    responseOf(await visitor.post('/api/resetpassword', { digest, password: PASSWORD, timezone: '' }));
    expect((await restore(await wayBack(former))).code).toBe('email_id_exist');
  });

  test('does not allow accepting a later invitation by its id', async () => {
    const mover = await confirmed(app);
    const former = mover.email;
    await moved(app, mover);
    const link = await wayBack(former);
    app.clock.forward(5 * DAY_MS);
    const { digest } = responseOf<{ digest: string }>(await restore(link));
    const password = 'another sturdy arch';
    responseOf(await app.visitor().put('/api/resetpassword', { digest, password, timezone: '' }));
    const again = await signIn(former, password);
    await invited(boss, { email: former });
    const [invitation] = await invitationsOf(again);
    expect(invitation).toMatchObject({ link_needed: 1 });
    expect((await answer(again, { id: invitation?.id, accept: 1 })).code).toBe('not_allowed');
  });

  test('is refused, and a newer link gives back the address with its invitation', async () => {
    const person = await confirmed(app);
    const former = person.email;
    await moved(app, person);
    const link = await wayBack(former);
    await invited(boss, { email: former });
    app.clock.forward(HOUR_MS);
    expect((await restore(link)).code).toBe('email_id_exist');
    responseOf(await restore(await wayBack(former)));
    expect(await members()).toEqual([
      { user_id: person.id, status: MEMBER_STATUS.invited, email_key: former },
    ]);
  });

  test('is mailed again at most three times an hour', async () => {
    const person = await confirmed(app);
    const former = person.email;
    await moved(app, person);
    let link = await wayBack(former);
    const strict = app.deps.sql
      .selectFrom('jobs')
      .select('id')
      .where('user_id', '=', person.id as UserId);
    const tokens = (await strict.execute()).length;
    await invited(boss, { email: former });
    for (let round = 0; round < 2; round += 1) {
      expect((await restore(link)).code).toBe('email_id_exist');
      const next = await wayBack(former);
      expect(next).not.toBe(link);
      link = next;
      await invited(await founder(app), { email: former });
    }
    expect((await strict.execute()).length).toBe(tokens + 2);
  });
});

describe('POST /orgusers/resend for an account that has left the invited address', () => {
  const resend = (user_id: number) =>
    boss.visitor.post('/api/orgusers/resend', { org_id: boss.orgId, user_id });

  test('invites the person who has the address now; the person who left it can no longer see or answer', async () => {
    const mover = await confirmed(app);
    const former = mover.email;
    const { id } = await invited(boss, { email: former });
    const old = await mailedDigest(app, former);
    await moved(app, mover);
    app.clock.forward(DAY_MS);
    expect(responseOf(await resend(id))).toMatchObject({ email: former });
    const next = await idOf(app, former);
    expect(next).not.toBe(mover.id);
    expect(await members()).toEqual([{ user_id: next, status: MEMBER_STATUS.invited, email_key: former }]);
    expect(await invitationsOf(mover)).toEqual([]);
    expect((await answer(mover, { digest: old, accept: 1 })).code).toBe('not_allowed');
    const digest = await mailedDigest(app, former);
    const visitor = app.visitor();
    responseOf(await visitor.post('/api/resetpassword', { digest, password: PASSWORD, timezone: '' }));
    expect(await members()).toMatchObject([{ user_id: next, status: MEMBER_STATUS.active }]);
    // The address belongs to the invited person now, so the mover cannot restore it.
    expect((await restore(await wayBack(former))).code).toBe('email_id_exist');
  });

  test('is refused if that person is a member already', async () => {
    const mover = await confirmed(app);
    const former = mover.email;
    const { id } = await invited(boss, { email: former });
    await moved(app, mover);
    const next = await confirmed(app, former);
    await updateRows(app, 'memberships', { user_id: mover.id }, { email_key: 'other@northwind.example' });
    await invited(boss, { email: former });
    await updateRows(app, 'memberships', { user_id: mover.id }, { email_key: former });
    expect((await resend(id)).code).toBe('user_present_in_org');
    expect((await members()).map(({ user_id }) => Number(user_id))).toEqual([mover.id, next.id]);
  });

  test('a new invitation to the address takes over the old one and its seat', async () => {
    const mover = await confirmed(app);
    const former = mover.email;
    await invited(boss, { email: former });
    await moved(app, mover);
    await invited(boss, { email: former });
    const guest = await idOf(app, former);
    expect(guest).not.toBe(mover.id);
    expect(await members()).toEqual([{ user_id: guest, status: MEMBER_STATUS.invited, email_key: former }]);
  });
});
