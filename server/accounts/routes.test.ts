import { describe, expect, test } from 'vitest';
import { fieldText } from '#contract/text/fields.ts';
import { serverFieldText } from '#contract/text/server-fields.ts';
import { mailedDigest, newEmail, PASSWORD, signedUp } from '#server/testing/people.ts';
import { listRows } from '#server/testing/rows.ts';
import { startApp } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp();

const signUp = (body: Record<string, unknown>) =>
  app
    .visitor()
    .post('/api/signup', { emailId: newEmail(), password: PASSWORD, timezone: 'Europe/Stockholm', ...body });

describe('POST /signup', () => {
  test('opens a session, and takes country and time zone from the browser', async () => {
    const email = newEmail();
    const { visitor, id } = await signedUp(app, email);
    const status = responseOf(await visitor.get('/api/ustat'));
    expect(status).toEqual({ id, email, full_name: email, confirmed: 0, person: expect.any(String) });
    const user = responseOf(await visitor.get('/api/user'));
    expect(user).toMatchObject({
      country: 'Sweden',
      time_zone: 'Europe/Stockholm',
      has_password: 1,
      mfa_enabled: 0,
    });
  });

  test.each([
    [{ emailId: 'no address' }, { emailId: fieldText.email }],
    [{ password: 'short 7' }, { password: 'Please use at least 8 characters.' }],
    [{ password: 'password1' }, { password: serverFieldText.commonPassword }],
    [{ password: 'aaaaAAAA' }, { password: serverFieldText.repeatedPassword }],
    [
      { emailId: 'ottoline@x.example', password: 'ottoline7' },
      { password: serverFieldText.guessablePassword },
    ],
    [{ admin: true }, { admin: serverFieldText.unknownField }],
  ])('refuses %o', async (body, fields) => {
    const answer = await signUp(body);
    expect([answer.status, answer.code]).toEqual([422, 'invalid_input']);
    expect(answer.body.error?.fields).toEqual(fields);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  test('the mail carries a link to the portal, and the database does not hold its digest', async () => {
    const { email } = await signedUp(app);
    const digest = await mailedDigest(app, email);
    const [mail] = await app.mails(email);
    expect(mail?.subject).toBe('Confirm your email address');
    expect(mail?.text).toContain(`${app.url}/verifyemail?digest=${digest}`);
    expect(mail?.html).toContain(`${app.url}/verifyemail?digest=${digest}`);
    const rows = await app.deps.sql.selectFrom('one_time_tokens').selectAll().execute();
    const jobs = await app.deps.sql.selectFrom('jobs').selectAll().execute();
    expect(JSON.stringify([rows, jobs])).not.toContain(digest);
    expect(app.logLines.join('\n')).not.toContain(digest);
  });
});

describe('ACCOUNT_DISCLOSURE=neutral', () => {
  test('a taken and a free address get the same answer without a cookie, and the owner gets a mail (A3, A12)', async () => {
    const neutralApp = await startApp({ ACCOUNT_DISCLOSURE: 'neutral' });
    try {
      const email = newEmail();
      const send = () =>
        neutralApp.visitor().post('/api/signup', { emailId: email, password: PASSWORD, timezone: '' });
      /** The rows before the jobs run. */
      const rowCounts = async () => {
        const count = await listRows(neutralApp, 'users', ['id']);
        const jobs = await listRows(neutralApp, 'jobs', ['kind', 'lane']);
        return { users: count.length, job: jobs.at(-1), jobs: jobs.length };
      };
      const before = await rowCounts();
      const free = await send();
      const afterFree = await rowCounts();
      expect(afterFree).toMatchObject({
        users: before.users,
        jobs: before.jobs + 1,
        job: { kind: 'sign-up' },
      });
      await neutralApp.mails();
      const afterSignUp = await rowCounts();
      expect(afterSignUp.users).toBe(before.users + 1);
      const taken = await send();
      expect(await rowCounts()).toEqual({
        users: afterSignUp.users,
        jobs: afterSignUp.jobs + 1,
        job: afterFree.job,
      });
      for (const answer of [free, taken]) {
        expect(responseOf(answer)).toEqual({ confirmed: 0 });
        expect(answer.headers.getSetCookie()).toEqual([]);
      }
      const mails = await neutralApp.mails(email);
      expect(mails.map((mail) => mail.subject)).toEqual([
        'Confirm your email address',
        'You already have an account',
      ]);
    } finally {
      await neutralApp.close();
    }
  });
});
