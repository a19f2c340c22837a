import { describe, expect, test } from 'vitest';
import { mailboxText } from '#contract/text/mailboxes.ts';
import type { UserId } from '#contract/wire.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#server/clock.ts';
import {
  type Boss,
  confirmed,
  deactivate,
  founder,
  invited,
  mailedDigest,
  newEmail,
  PASSWORD,
  rolesOf,
  shownIdOf,
  signedUp,
} from '#server/testing/people.ts';
import { useApp } from '#server/testing/use-app.ts';
import { type Answer, responseOf, Visitor } from '#server/testing/visitor.ts';

const trusting = { TRUSTED_PROXIES: '127.0.0.1' };
const app = useApp(trusting);
const neutral = useApp({ ...trusting, ACCOUNT_DISCLOSURE: 'neutral' });

const client = '198.51.100.1';
const otherClient = '198.51.100.2';
const thirdClient = '198.51.100.3';

/** The address of one mailbox with a tag. */
const tagged = (email: string, tag: number | string) => email.replace('@', `+${tag}@`);
const postFrom = (from: string, path: string, body: object, visitor: Visitor, method = 'POST') =>
  visitor.send(method, path, { body, headers: { 'x-forwarded-for': from } });
const signUp = (emailId: string, from = client, at = app, visitor = at.visitor()) =>
  postFrom(from, '/api/signup', { emailId, password: PASSWORD, timezone: '' }, visitor);
const resend = (email_id: string, from = client, at = app, visitor = at.visitor()) =>
  postFrom(from, '/api/verifyemail/resend', { email_id }, visitor);
const forgot = (email_id: string, from = client, at = app) =>
  postFrom(from, '/api/forgotpassword', { email_id }, at.visitor());

async function invite(boss: Boss, email: string) {
  const roles = await rolesOf(boss);
  const body = { org_id: boss.orgId, role_id: roles['Admin'], first_name: 'Tom', email_id: email };
  return boss.visitor.post('/api/orgusers', body);
}
const inviteAgain = (boss: Boss, id: number) =>
  boss.visitor.post('/api/orgusers/resend', { org_id: boss.orgId, user_id: id });

const mailsTo = async (mailbox: string, at = app) => {
  const [local = '', domain = ''] = mailbox.split('@');
  const all = await at.mails();
  return all.filter(({ to: { address } }) => address.startsWith(local) && address.endsWith(`@${domain}`))
    .length;
};
const codes = (answers: readonly Answer[]) => answers.map(({ code }) => code ?? 'ok');
const times = <T>(count: number, one: T) => Array.from({ length: count }, () => one);

/** Signs up tagged addresses of a mailbox from two networks, until its daily mails are used up. */
async function fill(email: string, at = app) {
  for (let tag = 0; tag < 6; tag += 1) await signUp(tagged(email, `a${tag}`), client, at);
  for (let tag = 0; tag < 4; tag += 1) await signUp(tagged(email, `b${tag}`), otherClient, at);
}

const expectTold = (answer: Answer) => {
  expect([answer.status, answer.code]).toEqual([429, 'too_many_requests']);
  expect(answer.body.error?.details).toBe(mailboxText.full);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(3600);
};

describe('a mailbox that nobody proved gets ten mails a day', () => {
  test('all its tags share the limit, one network gets six, and the caller is told', async () => {
    const email = newEmail('victim');
    const first = [];
    for (let tag = 0; tag < 8; tag += 1) first.push(await signUp(tagged(email, tag)));
    expect(codes(first)).toEqual([...times(6, 'ok'), ...times(2, 'too_many_requests')]);
    expectTold(first[7] as Answer);
    const second = [];
    for (let tag = 10; tag < 16; tag += 1) second.push(await signUp(tagged(email, tag), otherClient));
    expect(codes(second)).toEqual([...times(4, 'ok'), ...times(2, 'too_many_requests')]);
    expectTold(await signUp(email, thirdClient));
    expect(await mailsTo(email)).toBe(10);
    app.clock.forward(DAY_MS);
    expect((await signUp(email, thirdClient)).code).toBeUndefined();
    expect(await mailsTo(email)).toBe(11);
  });

  test('deleting its account does not reset the limit', async () => {
    const email = newEmail('victim');
    for (let round = 0; round < 6; round += 1) {
      const { id } = responseOf<{ id: number }>(await signUp(email));
      await app.mails();
      await deactivate(app, { id });
    }
    expectTold(await signUp(email));
    expect(await mailsTo(email)).toBe(6);
  });

  test('a sign-up that is refused because the address is taken sends no mail and counts none', async () => {
    const { email } = await confirmed(app);
    for (let round = 0; round < 8; round += 1) expect((await signUp(email)).code).toBe('email_id_exist');
    expect((await signUp(tagged(email, 1))).code).toBeUndefined();
  });

  test('a sign-up, a new link, an invitation, an address change and a reset all count', async () => {
    const email = newEmail('victim');
    const boss = await founder(app);
    const person = await confirmed(app);
    responseOf(await signUp(email));
    app.clock.forward(MINUTE_MS);
    responseOf(await resend(email));
    responseOf(await forgot(email));
    responseOf(await invite(boss, tagged(email, 1)));
    responseOf(await person.visitor.put('/api/user', { email: tagged(email, 2) }));
    expect(await mailsTo(email)).toBe(5);
    for (let tag = 3; tag < 8; tag += 1) await signUp(tagged(email, tag), otherClient);
    expect(await mailsTo(email)).toBe(10);

    app.clock.forward(HOUR_MS);
    responseOf(await resend(email, thirdClient));
    responseOf(await forgot(email, thirdClient));
    expectTold(await invite(boss, tagged(email, 9)));
    expectTold(await person.visitor.put('/api/user', { email: tagged(email, 9) }));
    expectTold(await person.visitor.post('/api/pendingemail/resend', {}));
    expect(await mailsTo(email)).toBe(10);
  });

  test('a person who asks for another link to their own address is told when none is mailed; a stranger learns nothing', async () => {
    const { email, visitor } = await signedUp(app, newEmail('victim'));
    // The page says that a link was mailed, so the first request must mail one.
    responseOf(await resend(email, client, app, visitor));
    expect(await mailsTo(email)).toBe(2);
    const soon = await resend(email, client, app, visitor);
    expect([soon.status, soon.headers.get('retry-after')]).toEqual([429, '30']);
    await fill(email);
    app.clock.forward(MINUTE_MS);
    expectTold(await resend(email, thirdClient, app, visitor));
    expect(responseOf(await resend(email, thirdClient))).toEqual({});
    expect(responseOf(await resend(email, thirdClient, app, (await confirmed(app)).visitor))).toEqual({});
  });

  test('an address given at onboarding counts, and the caller is told', async () => {
    const email = newEmail('victim');
    await fill(email);
    const { visitor, id } = await signedUp(app);
    await app.deps.sql
      .updateTable('users')
      .set({ email: null })
      .where('id', '=', id as UserId)
      .execute();
    const onboard = (email_id: string) =>
      visitor.post('/api/orgs', { first_name: 'Ann', country_name: 'Sweden', email_id });
    expectTold(await onboard(email));
    expect((await onboard(newEmail())).code).toBeUndefined();
  });

  test('invitations that a sign-up mails again count one each', async () => {
    const email = newEmail('victim');
    const senders = await Promise.all(times(4, 0).map((_, nth) => founder(app, `Org ${nth}`)));
    for (const boss of senders) await invited(boss, { email });
    expect((await signUp(email)).code).toBe('email_id_exist');
    expect(await mailsTo(email)).toBe(8);
    expect((await signUp(email)).code).toBe('email_id_exist');
    expect(await mailsTo(email)).toBe(10);
  });
});

describe('invitations', () => {
  test('one organization sends ten a day to one address and uses up no other organization’s', async () => {
    const { email } = await confirmed(app);
    const stranger = await founder(app, 'Stranger');
    const company = await founder(app, 'Company');
    const { id } = await invited(stranger, { email });
    const answers = [];
    for (let round = 0; round < 10; round += 1) answers.push(await inviteAgain(stranger, id));
    expect(codes(answers)).toEqual([...times(9, 'ok'), 'too_many_requests']);
    expect(answers.at(-1)?.body.error?.details).toBe(mailboxText.full);
    responseOf(await invite(company, email));
  });

  test('a stranger’s invitations do not keep a company from an address that nobody proved', async () => {
    const email = newEmail('wanted');
    const stranger = await founder(app, 'Stranger');
    const company = await founder(app, 'Company');
    const { id } = await invited(stranger, { email });
    const answers = [];
    for (let round = 0; round < 9; round += 1) answers.push(await inviteAgain(stranger, id));
    expect(codes(answers)).toEqual([...times(5, 'ok'), ...times(4, 'too_many_requests')]);
    responseOf(await invite(company, email));
  });
});

describe('under neutral disclosure', () => {
  /** Under neutral disclosure sign-up opens no session, so sign in separately. */
  async function person() {
    const [email, visitor] = [newEmail(), neutral.visitor()];
    responseOf(await signUp(email, otherClient, neutral));
    const digest = await mailedDigest(neutral, email);
    responseOf(await visitor.post('/api/verifyemail', { digest, password: PASSWORD }));
    responseOf(await visitor.post('/api/signin', { email_id: email, password: PASSWORD, timezone: '' }));
    return { email, visitor };
  }

  const outcome = async (email: string) => {
    const { visitor: owner } = await person();
    const { Id: orgId } = responseOf<{ Id: number }>(
      await owner.post('/api/orgs', { first_name: 'Ann', country_name: 'Sweden' }),
    );
    const boss = { email: '', id: 0, visitor: owner, orgId };
    const answers = [];
    for (let round = 0; round < 7; round += 1) answers.push(await signUp(email, client, neutral));
    await neutral.mails();
    answers.push(await invite(boss, email));
    const id = await shownIdOf(boss, email);
    for (let round = 0; round < 6; round += 1) answers.push(await inviteAgain(boss, id));
    const { visitor } = await person();
    answers.push(await postFrom(thirdClient, '/api/user', { email }, visitor, 'PUT'));
    return answers.map(({ status, code, headers, body }) => [
      status,
      code,
      body.error?.details,
      headers.get('retry-after'),
    ]);
  };

  test('a free and a proven address have the same limit', async () => {
    const { email } = await person();
    const free = newEmail();
    // The sign-up of the proven address counted one mail; count one for the free address.
    await neutral.deps.limiter.take('firstMailsToMailboxDay', free);
    const ofProven = await outcome(email);
    expect(await outcome(free)).toEqual(ofProven);
    expect(ofProven.map(([, code]) => code ?? 'ok')).toEqual([
      ...times(6, 'ok'),
      'too_many_requests',
      ...times(3, 'ok'),
      ...times(5, 'too_many_requests'),
    ]);
  });
});
