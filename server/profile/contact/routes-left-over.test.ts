import { beforeEach, describe, expect, test } from 'vitest';
import { SECOND_MS } from '#server/clock.ts';
import { requestAddress, self } from '#server/testing/addresses.ts';
import { type Boss, confirmed, founder, invited, mailedDigest } from '#server/testing/people.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp();
let boss: Boss;
beforeEach(async () => {
  boss = await founder(app);
});

/** An organization invites the address and withdraws the invitation. */
async function leftOver(email: string) {
  const { id } = await invited(boss, { email });
  const withdrawn = { org_id: boss.orgId, del_user_id: id };
  responseOf(await boss.visitor.delete('/api/orgusers', withdrawn));
}

describe('a pending address with the unproven account of a withdrawn invitation', () => {
  test('is the account’s once its link is opened', async () => {
    const person = await confirmed(app);
    const { email, digest } = await requestAddress(app, person);
    await leftOver(email);
    expect(responseOf(await person.visitor.post('/api/verifyemail', { digest }))).toEqual({
      password_needed: 0,
    });
    expect(await self(person)).toMatchObject({ email, pending_email: null });
  });

  test('gets its link again, and does not count as taken', async () => {
    const person = await confirmed(app);
    const { email } = await requestAddress(app, person);
    await leftOver(email);
    app.clock.forward(30 * SECOND_MS);
    responseOf(await person.visitor.post('/api/pendingemail/resend', {}));
    expect((await app.mails(email)).at(-1)?.subject).toBe('Confirm your new email address');
    responseOf(await person.visitor.post('/api/verifyemail', { digest: await mailedDigest(app, email) }));
  });
});
