import { expect, test } from 'vitest';
import { founder, mailedCode, newEmail, PASSWORD, signedUp, twoStepPerson } from '#server/testing/people.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

// Pasted text has invisible characters, and some keyboards type full-width ones. The portal stores and
// searches the plain form.

const app = useApp();

/** Text as copied from a contact or chat: direction marks around it, an invisible space inside. */
const pasted = (text: string) => `\u00A0\u202A${text.slice(0, 3)}\u200B${text.slice(3)}\u202C`;
const fullWidth = (digits: string) =>
  digits.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));

test('every endpoint finds the plain form of an address', async () => {
  const { email } = await signedUp(app, pasted(newEmail()));
  expect(email).toContain('\u200B');
  const plain = email.replace(/[\u00A0\u200B\u202A\u202C]/g, '');
  const visitor = app.visitor();
  const signIn = (email_id: string) =>
    visitor.post('/api/signin', { email_id, password: PASSWORD, timezone: '' });
  // The address is unconfirmed, which only the right password reveals.
  for (const typed of [plain, email, plain.replace('@', '＠')])
    expect((await signIn(typed)).code).toBe('account_not_confirmed');
  for (const path of ['/api/forgotpassword', '/api/verifyemail/resend', '/api/restoreaccount/resend'])
    responseOf(await visitor.post(path, { email_id: email }));
  expect((await visitor.post('/api/signup', { emailId: email, password: PASSWORD, timezone: '' })).code).toBe(
    'email_id_exist',
  );
});

test('phone, size and web address are stored in plain form', async () => {
  const { visitor, orgId } = await founder(app);
  const contact_number = '\u202D+46\u00A070\u2011123\u201345\u200B67\u202C';
  responseOf(await visitor.put('/api/user', { contact_number }));
  expect(responseOf(await visitor.get('/api/user'))).toMatchObject({ contact_number: '+46 70-123-4567' });
  expect((await visitor.put('/api/user', { contact_number: '+46 70-123-4567' })).code).toBe('no_changes');
  const answer = await visitor.put('/api/orgs', {
    org_id: orgId,
    website: '\u200Bhttps://north\u2011wind.example\u00A0',
    employee_count: `\u202A${fullWidth('120')}\u202C`,
  });
  expect(responseOf(answer)).toMatchObject({ WebSite: 'https://north-wind.example', EmployeeCount: 120 });
});

test('an invitation stores the plain address, and a search looks for the plain words', async () => {
  const { visitor, orgId } = await founder(app);
  const email = newEmail('tom');
  const roles = responseOf<{ id: number; name: string }[]>(await visitor.get(`/api/role?org_id=${orgId}`));
  const role_id = roles.find(({ name }) => name === 'Admin')?.id;
  const member = {
    org_id: orgId,
    role_id,
    first_name: 'Tom',
    last_name: 'van Doorn',
    email_id: pasted(email),
  };
  expect(responseOf(await visitor.post('/api/orgusers', member))).toMatchObject({ email });
  const repeated = { ...member, email_id: email.replace('@', '＠') };
  expect((await visitor.post('/api/orgusers', repeated)).code).toBe('user_present_in_org');
  for (const words of [pasted(email), pasted('Tom van'), 'Ｔｏｍ']) {
    const query = new URLSearchParams({ org_id: String(orgId), search: words });
    const { members } = responseOf<{ members: object[] }>(
      await visitor.get(`/api/orgusers?${query.toString()}`),
    );
    expect(members).toMatchObject([{ email }]);
  }
});

test('a code is compared in plain form', async () => {
  const person = await twoStepPerson(app);
  const visitor = app.visitor();
  const { contact } = responseOf<{ contact: string }>(
    await visitor.post('/api/signin', { email_id: person.email, password: PASSWORD, timezone: '' }),
  );
  const otp = `\u202A${fullWidth(await mailedCode(app, person.email))}\u202C`;
  expect(responseOf(await visitor.post('/api/verifyotp', { contact, otp, timezone: '' }))).toMatchObject({
    mfa_enabled: 0,
  });
});
