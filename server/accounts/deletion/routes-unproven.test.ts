import { describe, expect, test } from 'vitest';
import { maskEmail } from '#contract/accounts/mask.ts';
import type { UserId } from '#contract/wire.ts';
import { DAY_MS } from '#server/clock.ts';
import { restoreAccountOf } from '#server/operator/actions.ts';
import { founder, invited, mailedDigest, newEmail, PASSWORD, signedUp } from '#server/testing/people.ts';
import { listRows } from '#server/testing/rows.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp({ ...lastingSessions, RATE_LIMIT_FACTOR: '100' });

/** A squatter signs up with the address of another person's mailbox, and deletes that account. */
async function deleteSquatter() {
  const email = newEmail('owner');
  const squatter = await signedUp(app, email);
  const body = { reason: 'I am moving on', password: PASSWORD };
  responseOf(await squatter.visitor.delete('/api/deleteaccount', body));
  return { email, id: squatter.id as UserId, mails: (await app.mails(email)).length };
}
const ownerSignsUp = (email: string) =>
  app.visitor().post('/api/signup', { emailId: email, password: 'owner arch 99', timezone: '' });

describe('an unproven address becomes free when its account is deleted', () => {
  test('for a sign-up by its owner, who gets no mail about the earlier account', async () => {
    const { email, id, mails } = await deleteSquatter();
    const owner = responseOf<{ id: number }>(await ownerSignsUp(email));
    expect(owner.id).not.toBe(id);
    const newSubjects = (await app.mails(email)).slice(mails).map(({ subject }) => subject);
    expect(newSubjects).toEqual(['Confirm your email address']);
    responseOf(await app.visitor().post('/api/verifyemail', { digest: await mailedDigest(app, email) }));
  });

  test('for an invitation, whose link works for the owner', async () => {
    const { email, id } = await deleteSquatter();
    const guest = await invited(await founder(app), { email });
    expect(guest.id).not.toBe(id);
    const newPassword = { digest: await mailedDigest(app, email), password: 'owner arch 99', timezone: '' };
    expect((await app.visitor().post('/api/resetpassword', newPassword)).status).toBe(200);
  });

  test('and the log of the account records the loss', async () => {
    const { email, id } = await deleteSquatter();
    const { information } = await app.deps.sql
      .selectFrom('activity')
      .select('information')
      .where('user_id', '=', id)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    expect(information).toMatchObject({ email: [maskEmail(email), null] });
  });
});

describe('within the 60 days the operator can restore such an account', () => {
  const operator = { name: 'root' };

  test('with its address, by the mailed link and the account’s password', async () => {
    const { email, id } = await deleteSquatter();
    app.clock.forward(59 * DAY_MS);
    await restoreAccountOf(app.deps, operator, id);
    const digest = await mailedDigest(app, email);
    expect(responseOf(await app.visitor().post('/api/verifyemail', { digest }))).toMatchObject({
      password_needed: 1,
    });
    responseOf(await app.visitor().post('/api/verifyemail', { digest, password: PASSWORD }));
    responseOf(
      await app.visitor().post('/api/signin', { email_id: email, password: PASSWORD, timezone: '' }),
    );
  });

  test('without its address, once the owner has it', async () => {
    const { email, id } = await deleteSquatter();
    const owner = responseOf<{ id: number }>(await ownerSignsUp(email));
    await restoreAccountOf(app.deps, operator, id);
    await app.mails();
    expect(await listRows(app, 'users', ['id'], { email })).toEqual([{ id: owner.id }]);
  });
});
