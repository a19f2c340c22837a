import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

const box = (page: Page, name: string) => page.getByRole('checkbox', { name });

test('each choice is saved as it is ticked, and the next visit opens this page', async ({ page, enter }) => {
  const { urlName } = await enter('myprofile');
  await page.getByRole('link', { name: 'Communications' }).click();
  await expect(page).toHaveTitle(/^Communications ·/);
  for (const name of ['Product updates', 'Product offers', 'Promotional updates'])
    await expect(box(page, name)).not.toBeChecked();
  for (const name of ['Product offers', 'Promotional updates']) {
    const saved = page.waitForResponse('**/api/emailnotify');
    await box(page, name).check();
    await saved;
  }
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await page.goto('/');
  await expect(page).toHaveURL(`/${urlName}/communications`);
  await expect(box(page, 'Product offers')).toBeChecked();
  await expect(box(page, 'Promotional updates')).toBeChecked();
  await expect(box(page, 'Product updates')).not.toBeChecked();
  await expect(page.getByText('Always on')).toBeVisible();
});

test('a choice shows at once, and is reverted only when saving fails', async ({ page, enter }) => {
  await enter('communications');
  await expect(box(page, 'Product updates')).toBeVisible();
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
  await page.route(
    '**/api/emailnotify',
    async (route) => {
      await mayAnswer;
      await route.abort();
    },
    { times: 1 },
  );
  await box(page, 'Product updates').click();
  await expect(box(page, 'Product updates')).toBeChecked();
  answer();
  await expect(box(page, 'Product updates')).not.toBeChecked();
  await expect(page.getByText('Oops! Something went wrong')).toBeVisible();
  await expect(page.getByText('Saved', { exact: true })).toHaveCount(0);
  await box(page, 'Product updates').click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();

  // Another window has already saved the same choice.
  await page.request.put('/api/emailnotify', { data: { 2: 1 } });
  const answered = page.waitForResponse('**/api/emailnotify');
  await box(page, 'Product offers').click();
  await answered;
  await expect(box(page, 'Product offers')).toBeChecked();
  await expect(page.getByText('Oops! Something went wrong')).toHaveCount(0);
});
