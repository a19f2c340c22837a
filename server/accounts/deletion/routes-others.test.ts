import { expect, test } from 'vitest';
import { DAY_MS, fromNow, HOUR_MS } from '#server/clock.ts';
import { moved } from '#server/testing/addresses.ts';
import { confirmed, deactivate, mailedDigest, PASSWORD, signedUp } from '#server/testing/people.ts';
import { listRows, updateRows } from '#server/testing/rows.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

// Deleting an account drops only its own jobs, even if its address belonged or belongs to another person.

const app = useApp(lastingSessions);

/** Delays the mails to an address, as if its mail server deferred them. */
const delayMails = (email: string, untilMs: number) =>
  updateRows(app, 'jobs', { lane: `mail:${email}` }, { run_at: fromNow(app.clock, untilMs) });
const subjects = async (email: string) => (await app.mails(email)).map(({ subject }) => subject);
const deleteAccount = async ({ visitor }: Awaited<ReturnType<typeof signedUp>>) =>
  responseOf(await visitor.delete('/api/deleteaccount', { reason: 'I am moving on', password: PASSWORD }));

test('deleting an account that never proved its address drops no notice to the earlier owner (A13)', async () => {
  const owner = await confirmed(app);
  const before = (await subjects(owner.email)).length;
  // An intruder uses the owner's session. The notices wait because the mail server defers them.
  const thiefEmail = `thief.${owner.email}`;
  responseOf(await owner.visitor.put('/api/user', { email: thiefEmail }));
  await delayMails(owner.email, HOUR_MS);
  const digest = await mailedDigest(app, thiefEmail);
  responseOf(await owner.visitor.post('/api/verifyemail', { digest }));
  await delayMails(owner.email, HOUR_MS);
  const squatter = await signedUp(app, owner.email);
  await delayMails(owner.email, HOUR_MS);
  await deleteAccount(squatter);
  app.clock.forward(HOUR_MS);
  expect((await subjects(owner.email)).slice(before)).toEqual([
    'Your email address is about to change',
    'Your email address was changed',
  ]);
  const restoreDigest = /restoreemail\?digest=([\w-]+)/.exec(
    (await app.mails(owner.email)).at(-1)?.text ?? '',
  )?.[1];
  responseOf(await app.visitor().post('/api/restoreemail', { digest: restoreDigest }));
});

test('erasing an account drops no mail of the person who has its former address (A13)', async () => {
  const person = await confirmed(app);
  const former = person.email;
  await moved(app, person);
  await deactivate(app, person);
  app.clock.forward(60 * DAY_MS - HOUR_MS);
  const next = await confirmed(app, former);
  const before = await subjects(former);
  responseOf(await next.visitor.put('/api/mfa', { mfa_enabled: 1 }));
  await delayMails(former, 2 * HOUR_MS);
  app.clock.forward(HOUR_MS);
  await app.mails();
  expect(await listRows(app, 'users', ['id'], { id: person.id })).toEqual([]);
  app.clock.forward(HOUR_MS);
  expect((await subjects(former)).slice(before.length)).toEqual(['Two-step sign-in is on']);
});
