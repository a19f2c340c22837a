import { listen } from '#server/testing/providers.ts';
import { test as base, expect, judge } from './fixtures.ts';
import { choose, press, tabTo, type } from './keyboard.ts';

const FIRST = 'https://hooks.example/portico';

/** `receiver` is the address of a server that fails once. */
const test = base.extend<{ receiver: string }>({
  receiver: async ({ playwright: _ }, use) => {
    let failures = 0;
    const { url, close } = await listen((_request, response) => {
      failures += 1;
      return failures === 1 ? response.writeHead(500).end('Oops') : response.end('Thanks');
    });
    await use(url);
    await close();
  },
});

test('a webhook is added, changed, tested and removed', async ({ page, receiver, enter }) => {
  await enter('organization');
  await press(page, /^Webhooks$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Webhooks' })).toBeVisible();
  await expect(page.getByText('No webhooks yet')).toBeVisible();

  await press(page, 'Add webhook');
  const dialog = page.getByRole('dialog', { name: 'Add webhook' });
  await type(page, 'Address', 'https://10.0.0.1/');
  await choose(page, 'Events', 'Ch', 'Chosen events');
  await press(page, 'Add webhook');
  await expect(dialog.getByText('Please choose at least one event.')).toBeVisible();
  await expect(dialog.getByLabel('Events', { exact: true })).toBeFocused();
  await judge(page);
  await tabTo(page, 'A member joins');
  await page.keyboard.press('Space');
  await press(page, 'Add webhook');
  await expect(dialog.getByText('Please enter a public address that begins with https://.')).toBeVisible();
  await type(page, 'Address', FIRST);
  await press(page, 'Add webhook');

  const secret = page.getByRole('dialog', { name: 'Secret of the webhook' });
  await expect(secret.getByLabel('Secret', { exact: true })).toHaveValue(/^whsec_[\w+/=]{44}$/);
  await judge(page);
  await press(page, 'Done');
  const question = page.getByRole('alertdialog', { name: 'Have you saved the secret?' });
  await question.getByRole('button', { name: 'Back to the secret' }).click();
  await expect(secret).toBeVisible();
  await press(page, 'Done');
  await question.getByRole('button', { name: 'Close' }).click();
  await expect(secret).toBeHidden();
  await expect(page.getByRole('heading', { level: 1, name: FIRST })).toBeFocused();
  await expect(page.getByText('A member joins')).toBeVisible();
  await press(page, /^Webhooks$/);
  await expect(page.getByRole('row', { name: FIRST })).toContainText('1 of 8 events');
  await judge(page);

  await press(page, `Edit ${FIRST}`);
  await type(page, 'Address', receiver);
  await choose(page, 'Events', 'Al', 'All events');
  await press(page, 'Save changes');
  await expect(page.getByText('Webhook saved')).toBeVisible();
  await expect(page.getByRole('row', { name: receiver })).toContainText('All events');

  await press(page, receiver);
  await expect(page.getByRole('heading', { level: 1, name: receiver })).toBeFocused();
  await press(page, 'Make new secret');
  await expect(page.getByText('For 24 hours we sign requests')).toBeVisible();
  await press(page, 'Make new secret');
  await expect(secret).toBeVisible();
  await press(page, 'Done');
  await question.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByText(/^The old secret works until/)).toBeVisible();

  await press(page, /^Pause$/);
  await press(page, /^Pause$/);
  await expect(page.getByText('Paused', { exact: true })).toBeVisible();
  await press(page, /^Resume$/);
  await press(page, /^Resume$/);
  await expect(page.getByText('Active', { exact: true })).toBeVisible();

  const deliveries = page.locator('section').filter({ hasText: 'Deliveries' });
  await expect(deliveries.getByText('Nothing delivered yet')).toBeVisible();
  await press(page, 'Send test event');
  await expect(deliveries.getByRole('listitem')).toContainText(
    /Test eventFailed, next try \d\d:\d\d.*Status code500.*ResponseOops/,
  );
  await judge(page);
  await press(page, /^Send again: Test event, today/);
  await expect(page.getByText('The event is queued again')).toBeVisible();
  await expect(deliveries.getByRole('listitem')).toContainText(/Delivered.*ResponseThanks/);

  // Pages of one delivery.
  await page.route('/api/webhooks/deliveries?*', (route) =>
    route.continue({ url: route.request().url().replace('limit=20', 'limit=1') }),
  );
  await press(page, 'Send test event');
  await expect(deliveries.getByRole('listitem')).toContainText(/Test eventDelivered/);
  await press(page, 'Show older');
  await expect(deliveries.getByRole('listitem')).toHaveCount(2);
  await expect(deliveries.getByRole('button', { name: 'Show older' })).toBeHidden();

  await press(page, 'Remove webhook');
  await expect(page.getByText(`${receiver} receives no more events`)).toBeVisible();
  await judge(page);
  await press(page, 'Remove webhook');
  await expect(page.getByText('Webhook removed')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Webhooks' })).toBeFocused();
  await expect(page.getByText('No webhooks yet')).toBeVisible();
});
