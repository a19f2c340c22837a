import { describe, expect, test } from 'vitest';
import { maskEmail } from '#contract/accounts/mask.ts';
import { profileText } from '#words/profile.ts';
import { HOUR_MS, SECOND_MS } from '#server/clock.ts';
import { requestAddress, moved, newestRow, self } from '#server/testing/addresses.ts';
import {
  confirmed,
  founder,
  mailedDigest,
  newEmail,
  PASSWORD,
  resetByMail,
  signedUp,
} from '#server/testing/people.ts';
import { getRow } from '#server/testing/rows.ts';
import { untouched } from '#server/testing/untouched.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp();

const signIn = (email: string, password = PASSWORD) =>
  app.visitor().post('/api/signin', { email_id: email, password, timezone: '' });
const subjects = async (email: string) => (await app.mails(email)).map(({ subject }) => subject);

describe('the number', () => {
  const phoneOf = async (id: number) => getRow(app, 'users', ['contact_number', 'phone_e164'], { id });

  test('is stored as typed and in international form, and logged with old and new', async () => {
    const { visitor, id, orgId } = await founder(app);
    const answer = await visitor.put('/api/user', { contact_number: ' 070-123 45 67 ', org_id: orgId });
    expect(responseOf(answer)).toMatchObject({ contact_number: '070-123 45 67', pending_email: null });
    expect(await phoneOf(id)).toEqual({ contact_number: '070-123 45 67', phone_e164: '+46701234567' });
    expect(await newestRow(app, id)).toMatchObject({
      org_id: null,
      record_id: id,
      information: { contact_number: ['', '070-123 45 67'] },
    });
    responseOf(await visitor.put('/api/user', { contact_number: '123' }));
    expect(await phoneOf(id)).toEqual({ contact_number: '123', phone_e164: null });
  });

  test('gets another international form when the country changes', async () => {
    const { visitor, id } = await founder(app);
    responseOf(await visitor.put('/api/user', { contact_number: '22 12 34 56' }));
    const moved = (country: string) => visitor.put('/api/user', { first_name: 'Maya', country });
    responseOf(await moved('Norway'));
    expect(await phoneOf(id)).toEqual({ contact_number: '22 12 34 56', phone_e164: '+4722123456' });
    responseOf(await visitor.put('/api/user', { contact_number: '+46 70 123 45 67' }));
    responseOf(await moved('Denmark'));
    expect((await phoneOf(id)).phone_e164).toBe('+46701234567');
  });

  test('from onboarding is read with the country of onboarding', async () => {
    const { visitor, id } = await confirmed(app);
    const onboarding = { first_name: 'Ann', country_name: 'Germany', contact_number: '030 901820' };
    responseOf(await visitor.post('/api/orgs', onboarding));
    expect(await phoneOf(id)).toEqual({ contact_number: '030 901820', phone_e164: '+4930901820' });
    responseOf(await visitor.post('/api/orgs', { first_name: 'Ann', country_name: 'Sweden' }));
    expect((await phoneOf(id)).phone_e164).not.toBe('+4930901820');
  });
});

test('a new address waits, and the person still signs in with the former one', async () => {
  const { visitor, id, email: former } = await confirmed(app);
  const next = newEmail('next');
  const answer = await visitor.put('/api/user', { email: next.toUpperCase() });
  expect(responseOf(answer)).toMatchObject({ email: former, pending_email: next, confirmed: 1 });
  expect((await newestRow(app, id)).information).toEqual({ pending_email: [null, maskEmail(next)] });
  expect(await subjects(next)).toEqual(['Confirm your new email address']);
  expect(await subjects(former)).toContain('Your email address is about to change');
  expect((await signIn(next)).code).toBe('invalid_credentials');
  responseOf(await signIn(former));
  responseOf(await app.visitor().post('/api/forgotpassword', { email_id: former }));
  expect((await app.visitor().post('/api/forgotpassword', { email_id: next })).code).toBe('user_not_found');

  const digest = await mailedDigest(app, next);
  const verified = await visitor.post('/api/verifyemail', { digest });
  expect(responseOf(verified)).toEqual({ password_needed: 0 });
  expect(await self({ visitor })).toMatchObject({ email: next, pending_email: null, confirmed: 1 });
  expect((await newestRow(app, id)).information).toEqual({ email: [former, next] });
  expect((await subjects(former)).at(-1)).toBe('Your email address was changed');
  responseOf(await signIn(next));
  expect((await signIn(former)).code).toBe('invalid_credentials');
  expect((await visitor.post('/api/verifyemail', { digest })).code).toBe('digest_invalid');
});

test('a value that is already set or pending is no change', async () => {
  const person = await confirmed(app);
  const { email: next } = await requestAddress(app, person);
  responseOf(await person.visitor.put('/api/user', { contact_number: '123' }));
  for (const body of [{ email: person.email }, { email: next }, { contact_number: ' 123 ' }]) {
    const answer = await untouched(app, () => person.visitor.put('/api/user', body));
    expect([answer.code, answer.body.error?.details]).toEqual(['no_changes', 'No changes']);
  }
});

test('address and number together are one change, so a refused address also keeps the number', async () => {
  const person = await confirmed(app);
  const holder = await confirmed(app);
  const refused = await untouched(app, () =>
    person.visitor.put('/api/user', { email: holder.email, contact_number: '123' }),
  );
  expect([refused.code, refused.body.error?.details]).toEqual(['email_id_exist', 'Email Id already exits']);
  const next = newEmail('next');
  responseOf(await person.visitor.put('/api/user', { email: next, contact_number: '123' }));
  expect((await newestRow(app, person.id)).information).toEqual({
    contact_number: ['', '123'],
    pending_email: [null, maskEmail(next)],
  });
});

describe('the link', () => {
  test('of a mistyped address opens nothing for the stranger who reads that mailbox; another device needs the password', async () => {
    const person = await confirmed(app);
    const { email, digest } = await requestAddress(app, person);
    const stranger = await confirmed(app);
    for (const visitor of [app.visitor(), stranger.visitor]) {
      const answer = await visitor.post('/api/verifyemail', { digest });
      expect(responseOf(answer)).toEqual({ password_needed: 1 });
    }
    expect(await self(person)).toMatchObject({ email: person.email, pending_email: email, has_password: 1 });
    const wrong = await app.visitor().post('/api/verifyemail', { digest, password: 'not the one at all' });
    expect([wrong.status, wrong.code]).toEqual([403, 'invalid_credentials']);
    const right = await app.visitor().post('/api/verifyemail', { digest, password: PASSWORD });
    expect(responseOf(right)).toEqual({ password_needed: 0 });
    expect(await self(person)).toMatchObject({ email });
  });

  test('works for a day and no longer', async () => {
    const [soon, late] = [await confirmed(app), await confirmed(app)];
    const links = [await requestAddress(app, soon), await requestAddress(app, late)];
    app.clock.forward(24 * HOUR_MS - SECOND_MS);
    responseOf(await soon.visitor.post('/api/verifyemail', { digest: links[0]?.digest }));
    app.clock.forward(SECOND_MS);
    const answer = await late.visitor.post('/api/verifyemail', { digest: links[1]?.digest });
    expect([answer.status, answer.code]).toEqual([410, 'digest_expired']);
    expect(await self(late)).toMatchObject({ email: late.email, pending_email: links[1]?.email });
  });

  test('ends with another new address, a cancellation and a reset', async () => {
    const ends: [string, (person: Awaited<ReturnType<typeof confirmed>>) => Promise<unknown>][] = [
      ['another wish', (person) => requestAddress(app, person)],
      ['letting go', ({ visitor }) => visitor.delete('/api/pendingemail')],
      [
        'a reset',
        async ({ email }) => {
          responseOf(await resetByMail(app, email, 'another sturdy arch'));
        },
      ],
    ];
    for (const [why, end] of ends) {
      const person = await confirmed(app);
      const { digest } = await requestAddress(app, person);
      await end(person);
      const answer = await app.visitor().post('/api/verifyemail', { digest, password: PASSWORD });
      expect([why, answer.code]).toEqual([why, 'digest_invalid']);
    }
  });

  test('works beside a later one, and using one ends both', async () => {
    const person = await confirmed(app);
    const { email, digest } = await requestAddress(app, person);
    app.clock.forward(30 * SECOND_MS);
    responseOf(await person.visitor.post('/api/pendingemail/resend', {}));
    const fresh = await mailedDigest(app, email);
    responseOf(await person.visitor.post('/api/verifyemail', { digest }));
    expect((await person.visitor.post('/api/verifyemail', { digest: fresh })).code).toBe('digest_invalid');
  });
});

test('a person who mistyped their address at sign-up corrects it, and the stranger of that mailbox gets no access', async () => {
  const person = await signedUp(app);
  const next = await moved(app, person);
  expect(await self(person)).toMatchObject({ email: next, confirmed: 1 });
  expect(await subjects(person.email)).toEqual(['Confirm your email address']);
  const first = await mailedDigest(app, person.email);
  expect((await app.visitor().post('/api/verifyemail', { digest: first })).code).toBe('digest_invalid');
});

describe('resending and cancelling', () => {
  test('a new mail may be requested after 30 seconds, and five times an hour', async () => {
    const person = await confirmed(app);
    const { email } = await requestAddress(app, person);
    const again = () => person.visitor.post('/api/pendingemail/resend', {});
    const early = await again();
    expect([early.status, early.headers.get('retry-after')]).toEqual([429, '30']);
    for (let mails = 2; mails <= 5; mails += 1) {
      app.clock.forward(30 * SECOND_MS);
      expect(responseOf(await again())).toEqual({ wait_s: 30 });
      expect(await subjects(email)).toHaveLength(mails);
    }
    app.clock.forward(30 * SECOND_MS);
    expect((await again()).code).toBe('too_many_requests');
    const other = await untouched(app, () => person.visitor.put('/api/user', { email: newEmail() }));
    expect(other.code).toBe('too_many_requests');
    app.clock.forward(HOUR_MS);
    responseOf(await again());
  });

  test('a cancellation is logged, and a second one finds nothing', async () => {
    const person = await confirmed(app);
    const { email } = await requestAddress(app, person);
    responseOf(await person.visitor.delete('/api/pendingemail'));
    expect(await self(person)).toMatchObject({ email: person.email, pending_email: null });
    expect(await newestRow(app, person.id)).toMatchObject({
      information: { pending_email: [maskEmail(email), null] },
    });
    for (const answer of [
      await person.visitor.delete('/api/pendingemail'),
      await person.visitor.post('/api/pendingemail/resend', {}),
    ])
      expect([answer.code, answer.body.error?.details]).toEqual(['not_found', profileText.nothingPending]);
  });
});
