import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { confirmed } from '#server/testing/people.ts';
import { firstStep, isSignedIn, setUpApp } from '#server/testing/second-steps.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp();

test('a code of oathtool signs in', async () => {
  const { visitor, email } = await confirmed(app);
  const { secret } = await setUpApp(app, visitor);
  const browser = app.visitor();
  await firstStep(browser, email);
  const now = `${app.clock.now().toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  const code = execFileSync('oathtool', ['--totp', '--base32', '--now', now, secret], { encoding: 'utf8' });
  responseOf(await browser.post('/api/signin/app', { code: code.trim(), timezone: '' }));
  expect(await isSignedIn(browser)).toBe(true);
});
