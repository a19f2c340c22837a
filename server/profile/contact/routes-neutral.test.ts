import { expect, test } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '#server/clock.ts';
import { requestAddress, newestRow, self } from '#server/testing/addresses.ts';
import { confirmed, newEmail, PASSWORD } from '#server/testing/people.ts';
import type { TestApp } from '#server/testing/start-app.ts';
import { untouched } from '#server/testing/untouched.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp({ ACCOUNT_DISCLOSURE: 'neutral' });
const spec = useApp();

/** Signs in explicitly, because sign-up answers without a session here. */
async function person(of: TestApp = app) {
  const email = newEmail();
  const visitor = of.visitor();
  const credentials = { password: PASSWORD, timezone: '' };
  responseOf(await visitor.post('/api/signup', { ...credentials, emailId: email }));
  const text = (await of.mails(email)).at(-1)?.text ?? '';
  const digest = /digest=([\w-]+)/.exec(text)?.[1];
  responseOf(await visitor.post('/api/verifyemail', { digest, password: PASSWORD }));
  const answer = await visitor.post('/api/signin', { ...credentials, email_id: email });
  responseOf(answer);
  const { id } = await self({ visitor });
  return { visitor, email, id: Number(id) };
}

test('a taken address gets the same answer as a free one and becomes pending too, and only its owner gets a mail', async () => {
  const [maya, owner] = [await person(), await person()];
  const free = newEmail('free');
  const answers: object[] = [];
  for (const email of [free, owner.email]) {
    const answer = await maya.visitor.put('/api/user', { email });
    const { pending_email: pending, ...rest } = responseOf<{ pending_email: string }>(answer);
    expect(pending).toBe(email);
    answers.push({ status: answer.status, ...rest });
    expect(await self(maya)).toMatchObject({ email: maya.email, pending_email: email });
    expect((await newestRow(app, maya.id)).activity_type).toBe(2);
    await app.mails();
    app.clock.forward(30 * SECOND_MS);
    expect(responseOf(await maya.visitor.post('/api/pendingemail/resend', {}))).toEqual({ wait_s: 30 });
    await app.mails();
  }
  expect(answers[0]).toEqual(answers[1]);
  const subjects = async (email: string) => (await app.mails(email)).map(({ subject }) => subject);
  expect(await subjects(free)).toEqual(Array(2).fill('Confirm your new email address'));
  expect((await subjects(owner.email)).slice(-2)).toEqual(
    Array(2).fill('Somebody tried to use your address'),
  );
  expect((await app.mails(owner.email)).at(-1)?.text).not.toContain('digest=');
});

test('a new address needs a step-up within ten minutes; a number does not', async () => {
  const maya = await person();
  app.clock.forward(10 * MINUTE_MS);
  const body = { email: newEmail('next') };
  const refused = await untouched(app, () => maya.visitor.put('/api/user', body));
  expect([refused.status, refused.code]).toEqual([403, 'reauthentication_required']);
  responseOf(await maya.visitor.put('/api/user', { contact_number: '123' }));
  responseOf(await maya.visitor.post('/api/reauthenticate', { password: PASSWORD }));
  expect(responseOf(await maya.visitor.put('/api/user', body))).toMatchObject({ pending_email: body.email });
});

test('a portal that discloses accounts needs no step-up', async () => {
  const maya = await confirmed(spec);
  spec.clock.forward(10 * MINUTE_MS);
  const { email } = await requestAddress(spec, maya);
  expect(await self(maya)).toMatchObject({ pending_email: email });
});

test('once the disclosure budget is used up, the portal answers as if it never disclosed accounts', async () => {
  const [maya, owner] = [await confirmed(spec), await confirmed(spec)];
  expect((await maya.visitor.put('/api/user', { email: owner.email })).code).toBe('email_id_exist');
  await spec.deps.sql
    .updateTable('rate_limits')
    .set({ count: 1_000_000 })
    .where('key', 'like', 'disclosureSystemHour%')
    .execute();
  responseOf(await maya.visitor.put('/api/user', { email: owner.email }));
  expect(await self(maya)).toMatchObject({ pending_email: owner.email });
});

test('a pending address that another person has confirmed meanwhile ends only with the person’s own link', async () => {
  const [winner, loser] = [await person(), await person()];
  const email = newEmail('wanted');
  const links = [await requestAddress(app, winner, email), await requestAddress(app, loser, email)];
  responseOf(await winner.visitor.post('/api/verifyemail', { digest: links[0]?.digest }));
  expect(await self(loser)).toMatchObject({ pending_email: email });
  expect((await loser.visitor.post('/api/verifyemail', { digest: links[1]?.digest })).code).toBe(
    'email_id_exist',
  );
  expect(await self(loser)).toMatchObject({ email: loser.email, pending_email: null });
});
