import { describe, expect, test } from 'vitest';
import { mailboxText } from '#words/mailbox.ts';
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
  signIn,
} from '#server/testing/people.ts';
import { updateRows } from '#server/testing/rows.ts';
import { useApp } from '#server/testing/use-app.ts';
import { type Answer, responseOf, Visitor } from '#server/testing/visitor.ts';

const behindProxy = { TRUSTED_PROXIES: '127.0.0.1' };
const app = useApp(behindProxy);
const neutral = useApp({ ...behindProxy, ACCOUNT_DISCLOSURE: 'neutral' });

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
const requestReset = (email_id: string, from = client, at = app) =>
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
const repeat = <T>(count: number, value: T) => Array.from({ length: count }, () => value);

/** Signs up tagged addresses of a mailbox from two networks, until its daily mails are used up. */
async function fill(email: string, at = app) {
  for (let tag = 0; tag < 6; tag += 1) await signUp(tagged(email, `a${tag}`), client, at);
  for (let tag = 0; tag < 4; tag += 1) await signUp(tagged(email, `b${tag}`), otherClient, at);
}

const expectMailboxFull = (answer: Answer) => {
  expect([answer.status, answer.code]).toEqual([429, 'too_many_requests']);
  expect(answer.body.error?.details).toBe(mailboxText.full);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(3600);
};

describe('an unproven mailbox gets ten mails a day', () => {
  test('all its tags share the limit, one network gets six, and the answer says why', async () => {
    const email = newEmail('victim');
    const fromClient = [];
    for (let tag = 0; tag < 8; tag += 1) fromClient.push(await signUp(tagged(email, tag)));
    expect(codes(fromClient)).toEqual([...repeat(6, 'ok'), ...repeat(2, 'too_many_requests')]);
    expectMailboxFull(fromClient[7] as Answer);
    const fromOther = [];
    for (let tag = 10; tag < 16; tag += 1) fromOther.push(await signUp(tagged(email, tag), otherClient));
    expect(codes(fromOther)).toEqual([...repeat(4, 'ok'), ...repeat(2, 'too_many_requests')]);
    expectMailboxFull(await signUp(email, thirdClient));
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
    expectMailboxFull(await signUp(email));
    expect(await mailsTo(email)).toBe(6);
  });

  test('a sign-up with a taken address sends no mail and counts none', async () => {
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
    responseOf(await requestReset(email));
    responseOf(await invite(boss, tagged(email, 1)));
    responseOf(await person.visitor.put('/api/user', { email: tagged(email, 2) }));
    expect(await mailsTo(email)).toBe(5);
    for (let tag = 3; tag < 8; tag += 1) await signUp(tagged(email, tag), otherClient);
    expect(await mailsTo(email)).toBe(10);

    app.clock.forward(HOUR_MS);
    responseOf(await resend(email, thirdClient));
    responseOf(await requestReset(email, thirdClient));
    expectMailboxFull(await invite(boss, tagged(email, 9)));
    expectMailboxFull(await person.visitor.put('/api/user', { email: tagged(email, 9) }));
    expectMailboxFull(await person.visitor.post('/api/pendingemail/resend', {}));
    expect(await mailsTo(email)).toBe(10);
  });

  test('the answer says why no link is mailed to the caller’s own address, and tells a stranger nothing', async () => {
    const { email, visitor } = await signedUp(app, newEmail('victim'));
    // The page says that the sign-up mailed a link, but the person may ask for another at once.
    responseOf(await resend(email, client, app, visitor));
    expect(await mailsTo(email)).toBe(2);
    const early = await resend(email, client, app, visitor);
    expect([early.status, early.headers.get('retry-after')]).toEqual([429, '30']);
    await fill(email);
    app.clock.forward(MINUTE_MS);
    expectMailboxFull(await resend(email, thirdClient, app, visitor));
    expect(responseOf(await resend(email, thirdClient))).toEqual({});
    expect(responseOf(await resend(email, thirdClient, app, (await confirmed(app)).visitor))).toEqual({});
  });

  test('an address from onboarding counts, and the answer says when the mailbox is full', async () => {
    const email = newEmail('victim');
    await fill(email);
    const { visitor, id } = await signedUp(app);
    await updateRows(app, 'users', { id }, { email: null });
    const onboard = (email_id: string) =>
      visitor.post('/api/orgs', { first_name: 'Ann', country_name: 'Sweden', email_id });
    expectMailboxFull(await onboard(email));
    expect((await onboard(newEmail())).code).toBeUndefined();
  });

  test('a sign-up mails invitations again, and each counts', async () => {
    const email = newEmail('victim');
    const senders = await Promise.all(repeat(4, 0).map((_, nth) => founder(app, `Org ${nth}`)));
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
    expect(codes(answers)).toEqual([...repeat(9, 'ok'), 'too_many_requests']);
    expect(answers.at(-1)?.body.error?.details).toBe(mailboxText.full);
    responseOf(await invite(company, email));
  });

  test('a stranger’s invitations do not keep a company from inviting an unproven address (B10)', async () => {
    const email = newEmail('wanted');
    const stranger = await founder(app, 'Stranger');
    const company = await founder(app, 'Company');
    const { id } = await invited(stranger, { email });
    const answers = [];
    for (let round = 0; round < 9; round += 1) answers.push(await inviteAgain(stranger, id));
    expect(codes(answers)).toEqual([...repeat(5, 'ok'), ...repeat(4, 'too_many_requests')]);
    responseOf(await invite(company, email));
  });
});

describe('under neutral disclosure', () => {
  /** Under neutral disclosure a sign-up opens no session, so this signs in separately. */
  async function person() {
    const [email, visitor] = [newEmail(), neutral.visitor()];
    responseOf(await signUp(email, otherClient, neutral));
    const digest = await mailedDigest(neutral, email);
    responseOf(await visitor.post('/api/verifyemail', { digest, password: PASSWORD }));
    responseOf(await signIn(visitor, email));
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
    const outcomeOfProven = await outcome(email);
    expect(await outcome(free)).toEqual(outcomeOfProven);
    expect(outcomeOfProven.map(([, code]) => code ?? 'ok')).toEqual([
      ...repeat(6, 'ok'),
      'too_many_requests',
      ...repeat(3, 'ok'),
      ...repeat(5, 'too_many_requests'),
    ]);
  });
});
