import { describe, expect, test } from 'vitest';
import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity/calls.ts';
import { maskEmail } from '#contract/accounts/mask.ts';
import { DAY_MS, SECOND_MS } from '#server/clock.ts';
import { requestAddress, moved, newestRow, self } from '#server/testing/addresses.ts';
import {
  confirmed,
  deactivate,
  mailedDigest,
  PASSWORD,
  type Person,
  signedUp,
} from '#server/testing/people.ts';
import { listRows } from '#server/testing/rows.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp(lastingSessions);

const restore = (digest: string) => app.visitor().post('/api/restoreemail', { digest });
const isIn = async ({ visitor }: Pick<Person, 'visitor'>) =>
  responseOf(await visitor.get('/api/ustat')) !== null;
const signIn = (email: string, password = PASSWORD) =>
  app.visitor().post('/api/signin', { email_id: email, password, timezone: '' });
/** The digests of all restore links mailed to an address, oldest first. */
const waysBack = async (email: string) =>
  (await app.mails(email)).flatMap(({ text }) => /restoreemail\?digest=([\w-]+)/.exec(text)?.[1] ?? []);
const wayBack = async (email: string) => (await waysBack(email)).at(-1) ?? '';

/** The owner sets a new password with the digest that the restore link returned, and signs in. */
async function chooseAnew(digest: string, email: string) {
  const password = 'a password only the owner has';
  responseOf(await app.visitor().put('/api/resetpassword', { digest, password, timezone: '' }));
  return (await signIn(email, password)).status;
}

test('before the new address is confirmed, its link and all sessions end, and the owner chooses a new password', async () => {
  const person = await confirmed(app);
  const next = await requestAddress(app, person);
  const { digest } = responseOf<{ digest: string }>(await restore(await wayBack(person.email)));
  expect(await isIn(person)).toBe(false);
  const late = await app.visitor().post('/api/verifyemail', { digest: next.digest, password: PASSWORD });
  expect(late.code).toBe('digest_invalid');
  expect(await newestRow(app, person.id)).toMatchObject({
    module: MODULE.profile,
    activity_type: ACTIVITY_TYPE.contactInformation,
    action: ACTION.change,
    information: { pending_email: [maskEmail(next.email), null], reported: [false, true] },
  });
  // Nobody else had proven anything, so the password stays.
  responseOf(await signIn(person.email));
  expect(await chooseAnew(digest, person.email)).toBe(200);
});

test('after the new address is confirmed, the former one comes back, and the stranger keeps no access', async () => {
  const person = await confirmed(app);
  const next = await moved(app, person);
  // The stranger who took the account also sets their own password.
  responseOf(await app.visitor().post('/api/forgotpassword', { email_id: next }));
  const reset = await mailedDigest(app, next);
  const strangersPassword = 'a password of the stranger';
  responseOf(
    await app
      .visitor()
      .put('/api/resetpassword', { digest: reset, password: strangersPassword, timezone: '' }),
  );
  const stranger = { visitor: app.visitor() };
  const credentials = { email_id: next, password: strangersPassword, timezone: '' };
  responseOf(await stranger.visitor.post('/api/signin', credentials));

  const { digest } = responseOf<{ digest: string }>(await restore(await wayBack(person.email)));
  expect(await isIn(stranger)).toBe(false);
  for (const email of [next, person.email])
    expect((await signIn(email, strangersPassword)).code).toBe('invalid_credentials');
  expect((await newestRow(app, person.id)).information).toEqual({
    email: [next, person.email],
    reported: [false, true],
  });
  expect((await app.mails(next)).at(-1)?.subject).toBe('Your email address was set back');
  expect(await chooseAnew(digest, person.email)).toBe(200);
});

test('the link works once and for seven days, counted from each of the two notices', async () => {
  const [soon, late] = [await confirmed(app), await confirmed(app)];
  for (const person of [soon, late]) {
    const { email, digest } = await requestAddress(app, person);
    expect(email).not.toBe(person.email);
    app.clock.forward(DAY_MS / 2);
    responseOf(await person.visitor.post('/api/verifyemail', { digest }));
  }
  const [first, second] = await waysBack(late.email);
  app.clock.forward(6.5 * DAY_MS);
  expect((await restore(first ?? '')).code).toBe('digest_expired');
  app.clock.forward(DAY_MS / 2 - SECOND_MS);
  const used = await wayBack(soon.email);
  // The other person's change was half a day earlier.
  expect((await restore(used)).code).toBe('digest_expired');
  responseOf(await restore(second ?? ''));
  expect((await restore(second ?? '')).code).toBe('digest_invalid');
  app.clock.forward(SECOND_MS);
});

describe('a stranger cannot stop it:', () => {
  test('the link survives a dropped change, a reset and “not me” from the new mailbox', async () => {
    const person = await confirmed(app);
    const next = await moved(app, person);
    responseOf(await person.visitor.put('/api/mfa', { mfa_enabled: 1 }));
    const digest = await mailedDigest(app, next);
    responseOf(await app.visitor().post('/api/notme', { digest }));
    responseOf(await restore(await wayBack(person.email)));
    responseOf(await app.visitor().post('/api/forgotpassword', { email_id: person.email }));

    const other = await confirmed(app);
    await requestAddress(app, other);
    responseOf(await other.visitor.delete('/api/pendingemail'));
    responseOf(await restore(await wayBack(other.email)));
    expect(await isIn(other)).toBe(false);
  });

  test('after two moves the oldest address wins, and the links of later ones end', async () => {
    const person = await confirmed(app);
    const second = await moved(app, person);
    const third = await moved(app, person);
    const secondLink = await wayBack(second);
    responseOf(await restore(await wayBack(person.email)));
    expect((await restore(secondLink)).code).toBe('digest_invalid');
    for (const email of [second, third])
      expect((await app.visitor().post('/api/forgotpassword', { email_id: email })).code).toBe(
        'user_not_found',
      );
  });

  test('after two moves the oldest address wins, even if the second one was taken back first', async () => {
    const person = await confirmed(app);
    const second = await moved(app, person);
    await moved(app, person);
    responseOf(await restore(await wayBack(second)));
    const { digest } = responseOf<{ digest: string }>(await restore(await wayBack(person.email)));
    expect(await chooseAnew(digest, person.email)).toBe(200);
  });

  test('an account opened with the former address and never confirmed loses it', async () => {
    const person = await confirmed(app);
    await moved(app, person);
    const squatter = await signedUp(app, person.email);
    const { digest } = responseOf<{ digest: string }>(await restore(await wayBack(person.email)));
    expect(await self(squatter)).toMatchObject({ email: null });
    const row = await newestRow(app, squatter.id);
    expect(row.information).toEqual({
      email: [maskEmail(person.email), null],
    });
    // The log of that account must not show the client of the other person.
    expect(await listRows(app, 'activity_origins', ['activity_id'], { activity_id: row.id })).toEqual([]);
    expect(await chooseAnew(digest, person.email)).toBe(200);
  });

  test('the owner still gets in after the account was scheduled for deletion', async () => {
    const person = await confirmed(app);
    await moved(app, person);
    await deactivate(app, person);
    responseOf(await restore(await wayBack(person.email)));
    responseOf(await app.visitor().post('/api/restoreaccount/resend', { email_id: person.email }));
    const digest = await mailedDigest(app, person.email);
    expect(responseOf(await app.visitor().post('/api/restoreaccount', { digest }))).toEqual({});
  });
});

test('an address confirmed by another account stays there; once that account has left it, the mailbox decides again', async () => {
  const person = await confirmed(app);
  await moved(app, person);
  const link = await wayBack(person.email);
  const other = await confirmed(app, person.email);
  const answer = await restore(link);
  expect([answer.status, answer.code]).toEqual([409, 'email_id_exist']);
  expect(await isIn(person)).toBe(true);
  await moved(app, other);
  app.clock.forward(SECOND_MS);
  expect((await restore(link)).code).toBe('email_id_exist');
  responseOf(await restore(await wayBack(person.email)));
});
