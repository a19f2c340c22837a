import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SECOND_MS } from '#server/clock.ts';
import { asked, self } from '#server/testing/addresses.ts';
import { type Boss, confirmed, founder, invited, mailedDigest } from '#server/testing/people.ts';
import { startApp, type TestApp } from '#server/testing/start-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

let app: TestApp;
let boss: Boss;
beforeAll(async () => {
  app = await startApp();
});
beforeEach(async () => {
  boss = await founder(app);
});
afterAll(() => app.close());

/** An organization invites the address, and takes that back. */
async function leftOver(email: string) {
  const { id } = await invited(boss, { email });
  const withdrawn = { org_id: boss.orgId, del_user_id: id };
  responseOf(await boss.visitor.delete('/api/orgusers', withdrawn));
}

describe('an address that an invitation leaves over while it waits', () => {
  test('is the account’s once its link is opened', async () => {
    const person = await confirmed(app);
    const { email, digest } = await asked(app, person);
    await leftOver(email);
    expect(responseOf(await person.visitor.post('/api/verifyemail', { digest }))).toEqual({
      password_needed: 0,
    });
    expect(await self(person)).toMatchObject({ email, pending_email: null });
  });

  test('gets its link again, and is not said to be taken', async () => {
    const person = await confirmed(app);
    const { email } = await asked(app, person);
    await leftOver(email);
    app.clock.forward(30 * SECOND_MS);
    responseOf(await person.visitor.post('/api/pendingemail/resend', {}));
    expect((await app.mails(email)).at(-1)?.subject).toBe('Confirm your new email address');
    responseOf(await person.visitor.post('/api/verifyemail', { digest: await mailedDigest(app, email) }));
  });
});
