import { expect, test } from 'vitest';
import { confirmed, newEmail, PASSWORD } from '#server/testing/people.ts';
import { usePair } from '#server/testing/races.ts';
import { responseOf } from '#server/testing/visitor.ts';

const apps = usePair({ TRUSTED_PROXIES: '127.0.0.1' });

const at = (nth: number) => apps[nth % 2 === 0 ? 0 : 1];
const from = (network: number) => ({ 'x-forwarded-for': `198.51.100.${network}` });

test.each([
  ['one network', 6, () => 1],
  ['many networks', 10, (nth: number) => nth + 1],
] as const)(
  '%s gets %d concurrent sign-ups with tags of one mailbox over two processes (K10)',
  async (_, expected, network) => {
    const [local, domain] = newEmail('victim').split('@');
    const answers = await Promise.all(
      Array.from({ length: 20 }, (__, nth) => {
        const body = { emailId: `${local}+${nth}@${domain}`, password: PASSWORD, timezone: '' };
        return at(nth)
          .visitor()
          .send('POST', '/api/signup', { body, headers: from(network(nth)) });
      }),
    );
    expect(answers.filter(({ body }) => body.success)).toHaveLength(expected);
    expect(answers.filter(({ code }) => code === 'too_many_requests')).toHaveLength(20 - expected);
    const mails = await Promise.all(apps.map((app) => app.mails()));
    expect(mails.flat().filter(({ to }) => to.address.startsWith(`${local}+`))).toHaveLength(expected);
  },
);

test('twenty-one reset links are mailed when many networks ask at once over two processes (K10)', async () => {
  const { email } = await confirmed(apps[0]);
  await Promise.all(
    Array.from({ length: 40 }, async (_, nth) => {
      const headers = from(nth + 100);
      const body = { email_id: email };
      responseOf(await at(nth).visitor().send('POST', '/api/forgotpassword', { body, headers }));
    }),
  );
  await Promise.all(apps.map((app) => app.mails()));
  // The concurrent rounds skip jobs that the other process holds, so run one more round each.
  const mails = [...(await apps[0].mails(email)), ...(await apps[1].mails(email))];
  expect(mails.filter(({ subject }) => subject === 'Choose a new password')).toHaveLength(21);
});
