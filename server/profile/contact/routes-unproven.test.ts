import { beforeEach, describe, expect, test } from 'vitest';
import { maskEmail } from '#contract/accounts/mask.ts';
import { ACTION, ACTIVITY_TYPE } from '#contract/activity/calls.ts';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import { SECOND_MS } from '#server/clock.ts';
import { moved, newestRow, requestAddress, self } from '#server/testing/addresses.ts';
import {
  type Boss,
  colleague,
  confirmed,
  founder,
  idOf,
  invited,
  mailedDigest,
  newEmail,
  PASSWORD,
  signedUp,
} from '#server/testing/people.ts';
import { listRows, updateRows } from '#server/testing/rows.ts';
import { activityOf } from '#server/testing/staff.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

// One account holds an address without proof, and the person who owns the mailbox wants it.

const app = useApp({ RATE_LIMIT_FACTOR: '100' });
let boss: Boss;
beforeEach(async () => {
  boss = await founder(app);
});

const invitationsOf = async ({ visitor }: Pick<Boss, 'visitor'>) =>
  responseOf<{ id: number; OrgName: string }[]>(await visitor.get('/api/invitations'));
const members = (orgId: number) =>
  listRows(app, 'memberships', ['user_id', 'status', 'email_key'], { org_id: orgId }, 'id');
const isThere = async (id: number) => (await listRows(app, 'users', ['id'], { id })).length > 0;

describe('an address that was only invited', () => {
  test('needs a link mailed after the invitation, because an earlier one does not prove who reads the mailbox', async () => {
    const person = await confirmed(app);
    const { email, digest: earlier } = await requestAddress(app, person);
    app.clock.forward(SECOND_MS);
    await invited(boss, { role: 'Super Admin', email });
    app.clock.forward(SECOND_MS);
    const open = (digest: string) => person.visitor.post('/api/verifyemail', { digest });
    expect((await open(earlier)).code).toBe('digest_invalid');
    expect(await self(person)).toMatchObject({ email: person.email, pending_email: email });
    expect(await invitationsOf(person)).toEqual([]);
    expect((await app.mails(email)).at(-1)?.subject).toBe('Confirm your new email address');
    expect((await open(earlier)).code).toBe('digest_invalid');
    responseOf(await open(await mailedDigest(app, email)));
    expect(await self(person)).toMatchObject({ email, pending_email: null });
    expect(await invitationsOf(person)).toMatchObject([{ OrgName: 'Northwind Traders' }]);
  });

  test('goes to the person who opens its mailed link, together with the invitation', async () => {
    const guest = await invited(boss);
    const guestId = await idOf(app, guest.email);
    const link = await mailedDigest(app, guest.email);
    const person = await confirmed(app);
    await moved(app, person, guest.email);
    expect(await self(person)).toMatchObject({ email: guest.email, pending_email: null });
    expect(await isThere(guestId)).toBe(false);
    expect(await invitationsOf(person)).toMatchObject([{ OrgName: 'Northwind Traders' }]);
    const { notifications } = responseOf<{ notifications: { kind: string }[] }>(
      await person.visitor.get('/api/notifications'),
    );
    expect(notifications.map(({ kind }) => kind)).toEqual(['invitation']);
    expect((await members(boss.orgId)).at(-1)).toEqual({
      user_id: person.id,
      status: MEMBER_STATUS.invited,
      email_key: guest.email,
    });
    expect((await activityOf(app, boss.orgId))[0]).toMatchObject({
      user_id: person.id,
      record_id: person.id,
      activity_type: ACTIVITY_TYPE.invitedContact,
      action: ACTION.update,
      information: { confirmed: [false, true] },
    });
    // The link of the invitation still works for the person.
    responseOf(await person.visitor.post('/api/invitation', { digest: link, accept: 1 }));
    expect((await members(boss.orgId)).at(-1)).toMatchObject({ status: MEMBER_STATUS.active });
  });

  test('loses its invitation when it goes to a member of the organization, and its seat is free', async () => {
    const member = await colleague(app, boss);
    const guest = await invited(boss);
    await moved(app, member, guest.email);
    expect(await members(boss.orgId)).toEqual([
      { user_id: boss.id, status: MEMBER_STATUS.active, email_key: boss.email },
      { user_id: member.id, status: MEMBER_STATUS.active, email_key: guest.email },
    ]);
    expect((await activityOf(app, boss.orgId))[0]).toMatchObject({
      activity_type: ACTIVITY_TYPE.invitationAnswer,
      action: ACTION.delete,
      information: { status: [MEMBER_STATUS.invited, null] },
    });
  });

  test('brings its invitation, which replaces the one to the former address', async () => {
    const person = await confirmed(app);
    await invited(boss, { email: person.email });
    const guest = await invited(boss);
    await moved(app, person, guest.email);
    expect((await members(boss.orgId)).slice(1)).toEqual([
      { user_id: person.id, status: MEMBER_STATUS.invited, email_key: guest.email },
    ]);
    expect(await invitationsOf(person)).toHaveLength(1);
  });
});

describe('an address of an account that never proved it (A11)', () => {
  test('goes to the person who opens its mailed link; the account loses it, and its log says so', async () => {
    const squatter = await signedUp(app);
    const squattersDigest = await mailedDigest(app, squatter.email);
    await invited(boss, { email: squatter.email });
    const person = await confirmed(app);
    await moved(app, person, squatter.email);
    expect(await self(person)).toMatchObject({ email: squatter.email });
    expect(await self(squatter)).toMatchObject({ email: null });
    expect((await newestRow(app, squatter.id)).information).toEqual({
      email: [maskEmail(squatter.email), null],
    });
    expect(await invitationsOf(person)).toHaveLength(1);
    const late = await app
      .visitor()
      .post('/api/verifyemail', { digest: squattersDigest, password: PASSWORD });
    expect(late.code).toBe('digest_invalid');
  });

  test('goes even if the account has an organization, which stays with the account', async () => {
    const squatter = await signedUp(app);
    const began = { first_name: 'Sam', country_name: 'Sweden', organaization_name: 'Squatters' };
    responseOf(await squatter.visitor.post('/api/orgs', began));
    const person = await confirmed(app);
    await moved(app, person, squatter.email);
    expect(await self(squatter)).toMatchObject({ email: null });
    const init = responseOf<{ default_organizations: { OrgName: string } }>(
      await squatter.visitor.get('/api/init'),
    );
    expect(init.default_organizations.OrgName).toBe('Squatters');
    expect(responseOf(await person.visitor.get('/api/init'))).toMatchObject({ default_organizations: null });
    // The open session can request another address, which needs its own proof.
    await moved(app, squatter);
    expect(await self(squatter)).toMatchObject({ confirmed: 1 });
  });

  test('stays where it is until the link is opened, and the account may prove it first', async () => {
    const rival = await signedUp(app);
    const own = await mailedDigest(app, rival.email);
    const person = await confirmed(app);
    const { digest } = await requestAddress(app, person, rival.email);
    expect(await self(rival)).toMatchObject({ email: rival.email, confirmed: 0 });
    responseOf(await rival.visitor.post('/api/verifyemail', { digest: own }));
    const answer = await person.visitor.post('/api/verifyemail', { digest });
    expect([answer.status, answer.code]).toEqual([409, 'email_id_exist']);
  });
});

describe('a pending address that another person has confirmed meanwhile', () => {
  test('its link is refused, and it is no longer pending', async () => {
    const person = await confirmed(app);
    const { email, digest } = await requestAddress(app, person);
    await confirmed(app, email);
    const answer = await person.visitor.post('/api/verifyemail', { digest });
    expect([answer.status, answer.code]).toEqual([409, 'email_id_exist']);
    expect(await self(person)).toMatchObject({ email: person.email, pending_email: null });
    expect((await newestRow(app, person.id)).information).toEqual({
      pending_email: [maskEmail(email), null],
    });
  });

  test('it stops being pending with the first proof, before its link is opened', async () => {
    const [first, second] = [await confirmed(app), await confirmed(app)];
    const email = newEmail('wanted');
    const links = [await requestAddress(app, first, email), await requestAddress(app, second, email)];
    responseOf(await first.visitor.post('/api/verifyemail', { digest: links[0]?.digest }));
    expect(await self(second)).toMatchObject({ email: second.email, pending_email: null });
    const answer = await second.visitor.post('/api/verifyemail', { digest: links[1]?.digest });
    expect([answer.status, answer.code]).toEqual([409, 'email_id_exist']);
    expect((await second.visitor.put('/api/user', { email })).code).toBe('email_id_exist');
  });
});

describe('an address given at onboarding', () => {
  const onboarding = (email_id: string) => ({ first_name: 'Ann', country_name: 'Germany', email_id });
  /** A person who signed in by a provider that vouched for no address. */
  async function addressless() {
    const person = await confirmed(app);
    await updateRows(app, 'users', { id: person.id }, { email: null, confirmed_at: null });
    return person;
  }

  test.for(['invited', 'unproven'])(
    '%s: it waits for its link, and then belongs to the person',
    async (how) => {
      const other = how === 'invited' ? await invited(boss) : await signedUp(app);
      const person = await addressless();
      responseOf(await person.visitor.post('/api/orgs', onboarding(other.email)));
      expect(await self(person)).toMatchObject({ email: null });
      const digest = await mailedDigest(app, other.email);
      responseOf(await person.visitor.post('/api/verifyemail', { digest }));
      expect(await self(person)).toMatchObject({ email: other.email, confirmed: 1 });
      expect(await invitationsOf(person)).toHaveLength(how === 'invited' ? 1 : 0);
    },
  );
});

test('a pending address with the unproven account of a withdrawn invitation gets its link again, and does not count as taken', async () => {
  const person = await confirmed(app);
  const { email } = await requestAddress(app, person);
  const { id } = await invited(boss, { email });
  responseOf(await boss.visitor.delete('/api/orgusers', { org_id: boss.orgId, del_user_id: id }));
  app.clock.forward(30 * SECOND_MS);
  responseOf(await person.visitor.post('/api/pendingemail/resend', {}));
  expect((await app.mails(email)).at(-1)?.subject).toBe('Confirm your new email address');
  responseOf(await person.visitor.post('/api/verifyemail', { digest: await mailedDigest(app, email) }));
});
