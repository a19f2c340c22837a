import { describe, expect, test } from 'vitest';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import { everyRow } from '#server/testing/every-row.ts';
import {
  confirmed,
  founder,
  mailedDigest,
  newEmail,
  PASSWORD,
  resetByMail,
  signedUp,
} from '#server/testing/people.ts';
import { plantedInvitation } from '#server/testing/planted.ts';
import { getRow } from '#server/testing/rows.ts';
import { startApp } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp();

const signUp = (emailId: string, password = PASSWORD, on = app) =>
  on.visitor().post('/api/signup', { emailId, password, timezone: '' });
const signIn = (email_id: string, password: string) =>
  app.visitor().post('/api/signin', { email_id, password, timezone: '' });
const withoutQueues = { but: ['rate_limits', 'jobs'] };

describe('signing up with a taken address', () => {
  test('changes nothing for an invited person, who must prove the mailbox (A4)', async () => {
    const { orgId } = await founder(app);
    const { email, id } = await plantedInvitation(app, orgId);
    const before = await everyRow(app.deps.sql, withoutQueues);
    const answer = await signUp(email);
    expect([answer.status, answer.code, answer.headers.getSetCookie()]).toEqual([409, 'email_id_exist', []]);
    expect(await everyRow(app.deps.sql, withoutQueues)).toEqual(before);
    expect((await signIn(email, PASSWORD)).code).toBe('invalid_credentials');

    responseOf(await resetByMail(app, email, 'fresh arch 77'));
    responseOf(await signIn(email, 'fresh arch 77'));
    const member = await getRow(app, 'memberships', ['status'], { user_id: id });
    expect(member.status).toBe(MEMBER_STATUS.invited);
  });

  test('changes nothing for any other person, confirmed or not (A4)', async () => {
    for (const { email } of [await confirmed(app), await signedUp(app)]) {
      const before = await everyRow(app.deps.sql, withoutQueues);
      expect((await signUp(email, 'another arch 43')).code).toBe('email_id_exist');
      expect(await everyRow(app.deps.sql, withoutQueues)).toEqual(before);
    }
  });
});

test('the first proof of the mailbox ends everything of an earlier sign-up (A5)', async () => {
  const { email, visitor, id } = await signedUp(app);
  const linkDigest = await mailedDigest(app, email);
  const owner = app.visitor();
  const { digest } = responseOf<{ digest: string }>(
    await owner.post('/api/verifyemail', { digest: linkDigest }),
  );
  const rows = await everyRow(app.deps.sql);
  for (const table of ['passwords', 'sessions', 'challenges', 'known_devices', 'redirect_codes'])
    expect([
      table,
      rows[table]?.filter((row) => row.includes(`,${id},`) || row.startsWith(`(${id},`)),
    ]).toEqual([table, []]);
  expect((await visitor.get('/api/user')).code).toBe('not_signed_in');
  expect((await signIn(email, PASSWORD)).code).toBe('invalid_credentials');
  responseOf(await owner.post('/api/resetpassword', { digest, password: 'owner arch 77', timezone: '' }));
  expect((await signIn(email, PASSWORD)).code).toBe('invalid_credentials');
  responseOf(await signIn(email, 'owner arch 77'));
});

describe('an input that is not exactly one address', () => {
  const inputs = [
    'a@b.example,c@d.example',
    'a@b.example c@d.example',
    'a@b.example\r\nBcc: c@d.example',
    '"a@b.example"@northwind.example',
    'Maya <a@b.example>, Tom <c@d.example>',
    'a@b.example\u0000',
    'ä@b.example',
    'a@b.example.',
    `${'a'.repeat(245)}@b.example`,
    `${'a'.repeat(65)}@b.example`,
    '',
    ['a@b.example'],
    ['a@b.example', 'c@d.example'],
    { 0: 'a@b.example' },
    null,
  ];
  test.for([
    ['/api/signup', 'emailId', { password: PASSWORD, timezone: '' }],
    ['/api/forgotpassword', 'email_id', {}],
    ['/api/verifyemail/resend', 'email_id', {}],
  ] as const)('%s refuses it and mails nobody (A6)', async ([path, field, more]) => {
    const before = await everyRow(app.deps.sql);
    for (const email of inputs) {
      const answer = await app.visitor().post(path, { [field]: email, ...more });
      expect([email, Object.keys(answer.body.error?.fields ?? {})]).toEqual([email, [field]]);
    }
    expect(await everyRow(app.deps.sql)).toEqual(before);
  });

  test('all spellings of an address lead to one account and one mailbox (A6)', async () => {
    const plain = newEmail('anna').replace('northwind.example', 'münchen.example');
    const canonical = plain.replace('münchen', 'xn--mnchen-3ya');
    responseOf(await signUp(plain));
    for (const spelling of [
      canonical,
      plain.toUpperCase(),
      plain.normalize('NFD'),
      ` ${plain}\n`,
      canonical.toUpperCase(),
      `\u202A${plain}\u202C`,
      plain.replace('@', '\u200B＠'),
      `\uFF41${plain.slice(1)}`,
    ])
      expect([spelling, (await signUp(spelling)).code]).toEqual([spelling, 'email_id_exist']);
    responseOf(await app.visitor().post('/api/forgotpassword', { email_id: plain.toUpperCase() }));
    const to = (await app.mails())
      .map((mail) => mail.to.address)
      .filter((address) => address.startsWith('anna'));
    expect(to).toEqual([canonical, canonical]);
  });
});

describe('passwords', () => {
  test('are compared up to the last of 128 characters, whatever the characters (A8)', async () => {
    const strange = '🏛️ "<\'>\u0000é\t';
    const password = strange + 'x'.repeat(127 - Array.from(strange).length);
    const email = newEmail();
    responseOf(await signUp(email, `${password}z`));
    expect((await signIn(email, `${password}z`)).code).toBe('account_not_confirmed');
    for (const other of [password, `${password}y`, `${password}Z`, `${password}z`.slice(2)])
      expect((await signIn(email, other)).code).toBe('invalid_credentials');
  });

  test('of more than 128 characters cost no hash on any endpoint (A8)', async () => {
    const { visitor, email } = await confirmed(app);
    const digest = 'A'.repeat(43);
    const { passwords } = app.deps;
    const originals = { ...passwords };
    let hashes = 0;
    Object.assign(passwords, {
      hash: (password: string) => ((hashes += 1), originals.hash(password, '')),
      matches: (password: string) => ((hashes += 1), originals.matches(password, undefined, '')),
    });
    const password = '🏛'.repeat(129);
    const answers = [
      await signUp(newEmail(), password),
      await signIn(email, password),
      await visitor.post('/api/verifyemail', { digest, password }),
      await visitor.put('/api/resetpassword', { digest, password, timezone: '' }),
      await visitor.post('/api/resetpassword', { digest, password, timezone: '' }),
      await visitor.post('/api/reauthenticate', { password }),
    ];
    Object.assign(passwords, originals);
    expect(answers.map(({ body }) => body.error?.fields)).toEqual(
      answers.map(() => ({ password: 'Please use at most 128 characters.' })),
    );
    expect(hashes).toBe(0);
  });

  const weak = ['ｐａｓｓｗｏｒｄ１', 'ottoline77'];
  let ottolines = 0;
  const ottoline = () => `ottoline@${(ottolines += 1)}.northwind.example`;
  test.for(weak)('%s is refused with the reason on every endpoint (A8)', async (password) => {
    const { email } = await confirmed(app, ottoline());
    responseOf(await app.visitor().post('/api/forgotpassword', { email_id: email }));
    const body = { digest: await mailedDigest(app, email), password, timezone: '' };
    const answers = [await signUp(ottoline(), password), await app.visitor().put('/api/resetpassword', body)];
    for (const answer of answers)
      expect([answer.code, answer.body.error?.fields?.['password']]).toEqual([
        'invalid_input',
        expect.stringMatching(/^This password (is|contains)/),
      ]);
  });

  test('that are weak pass where PASSWORD_BLOCKLIST is off, except short ones (A8)', async () => {
    const lenient = await startApp({ PASSWORD_BLOCKLIST: 'off' });
    for (const password of weak) expect((await signUp(ottoline(), password, lenient)).status).toBe(200);
    expect((await signUp(newEmail(), 'short 7', lenient)).code).toBe('invalid_input');
    await lenient.close();
  });
});

describe('no mailbox is flooded (B8)', () => {
  test('under neutral disclosure the owner of a taken address gets three mails an hour', async () => {
    const neutralApp = await startApp({ ACCOUNT_DISCLOSURE: 'neutral' });
    const email = newEmail();
    for (let round = 0; round < 6; round += 1)
      expect(responseOf(await signUp(email, PASSWORD, neutralApp))).toEqual({ confirmed: 0 });
    expect((await neutralApp.mails(email)).map(({ subject }) => subject)).toEqual([
      'Confirm your email address',
      ...Array.from({ length: 3 }, () => 'You already have an account'),
    ]);
    await neutralApp.close();
  });
});
