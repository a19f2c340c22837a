import type { Page } from '@playwright/test';
import { expect, judge, refuseOnce, test } from './fixtures.ts';
import { tabTo } from './keyboard.ts';
import { choose, pictureFile } from './pictures.ts';

const save = (page: Page) => page.getByRole('button', { name: 'Save changes' }).first();
const alert = (page: Page, text: string) => page.getByText(text);
const headerPicture = (page: Page) =>
  page
    .getByRole('banner')
    .getByRole('button', { name: /^Account menu/ })
    .locator('img');

test('a picture is cropped, shown at once, and removed after a question', async ({ page, enter }) => {
  await enter('myprofile');
  await choose(page, 'Add picture', await pictureFile(page, '#0a6b60', 900, 600));
  const dialog = page.getByRole('dialog', { name: 'Crop your picture' });
  await expect(dialog).toBeVisible();
  await dialog.getByLabel('Zoom').press('ArrowRight');
  await dialog.getByRole('button', { name: 'Save image' }).click();
  await expect(alert(page, 'Picture updated')).toBeVisible();
  // Saving the picture does not submit the form around it.
  await expect(alert(page, 'No changes')).toBeHidden();
  const picture = page.getByRole('group', { name: 'Profile picture' }).locator('img');
  const source = await picture.getAttribute('src');
  expect(source).toMatch(/^\/drive\/profile\?file_id=/);
  await expect(headerPicture(page)).toHaveAttribute('src', source ?? '');
  const stored = await page.request.get(source ?? '');
  expect(stored.headers()['content-type']).toBe('image/jpeg');
  expect(stored.headers()['cache-control']).toBe('private, max-age=31536000, immutable');

  await page.reload();
  await expect(headerPicture(page)).toHaveAttribute('src', source ?? '');
  await page.getByRole('button', { name: 'Remove picture' }).click();
  const question = page.getByRole('alertdialog', { name: 'Remove your picture?' });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(picture).toBeVisible();
  await page.getByRole('button', { name: 'Remove picture' }).click();
  await question.getByRole('button', { name: 'Remove picture' }).click();
  await expect(alert(page, 'Picture removed')).toBeVisible();
  await expect(picture).toHaveCount(0);
  await expect(headerPicture(page)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Add picture' })).toBeFocused();
});

test('a wrong file is refused, and a refused picture stays in the crop', async ({ page, enter }) => {
  await enter('myprofile');
  const requests: string[] = [];
  page.on(
    'request',
    (request) => request.method() === 'POST' && requests.push(new URL(request.url()).pathname),
  );
  const png = { name: 'me.png', mimeType: 'image/png' };
  for (const file of [
    { name: 'me.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a') },
    { ...png, buffer: Buffer.from('no picture') },
  ]) {
    await choose(page, 'Add picture', file);
    await expect(alert(page, 'Please choose a PNG or JPEG image.')).toBeVisible();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expect(alert(page, 'Please choose a PNG or JPEG image.')).toBeHidden();
  }
  await choose(page, 'Add picture', { ...png, buffer: Buffer.alloc(5_242_881) });
  await expect(alert(page, 'The file is larger than 5 MB.')).toBeVisible();
  expect(requests.filter((path) => path.startsWith('/drive/'))).toEqual([]);

  const details = 'Please choose a PNG or JPEG image.';
  await refuseOnce(page, '/drive/profile', 415, { code: 'invalid_image', details });
  await choose(page, 'Add picture', await pictureFile(page, '#33a'));
  const dialog = page.getByRole('dialog', { name: 'Crop your picture' });
  await dialog.getByRole('button', { name: 'Save image' }).click();
  await expect(alert(page, 'Please choose a PNG or JPEG image.')).toBeVisible();
  await expect(dialog).toBeVisible();
  const tooOften = { code: 'too_many_requests', details: 'Too many attempts.' };
  await refuseOnce(page, '/drive/profile', 429, tooOften, { 'retry-after': '300' });
  await dialog.getByRole('button', { name: 'Save image' }).click();
  await expect(alert(page, 'Too many attempts. You can try again in 5 minutes.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Save image' }).click();
  await expect(alert(page, 'Picture updated')).toBeVisible();
});

test('country and zone match by prefix, and a list opens at the chosen entry', async ({ page, enter }) => {
  await enter('myprofile');
  const country = page.getByLabel('Country');
  await country.fill('gErM');
  await expect(page.getByRole('listbox').getByRole('option')).toHaveText(['Germany']);
  await page.getByRole('listbox').getByRole('option', { name: 'Germany' }).click();
  const zone = page.getByLabel('Time zone', { exact: true });
  await zone.click();
  await expect(page.getByRole('listbox').getByRole('option').first()).toHaveText(/Europe\/Berlin/);
  await zone.fill('tOKy');
  await page
    .getByRole('listbox')
    .getByRole('option', { name: /Asia\/Tokyo/ })
    .click();
  await save(page).click();
  await expect(alert(page, 'Profile updated')).toBeVisible();
  for (const open of ['press', 'key']) {
    await page.reload();
    await expect(country).toHaveValue('Germany');
    await expect(zone).toHaveValue(/Asia\/Tokyo$/);
    if (open === 'press') await zone.click();
    else await zone.press('ArrowDown');
    const options = page.getByRole('listbox').getByRole('option');
    await expect(options.and(page.getByRole('option', { selected: true }))).toBeInViewport({ ratio: 1 });
    expect((await options.first().boundingBox())?.y).toBeLessThan(0);
  }
});

test.describe('in a browser with an unknown time zone', () => {
  test.use({ timezoneId: 'Etc/GMT+3' });
  test('the country is the United States until one is chosen', async ({ page }) => {
    await page.goto('/signup');
    await page.getByLabel('Email').fill(`zone.${process.pid}.${Date.now()}@northwind.example`);
    await page.getByLabel('Password', { exact: true }).fill('sturdy arch 42');
    await page.getByRole('button', { name: 'Create my free account' }).click();
    await page.getByLabel('First name').fill('Maya');
    await expect(page.getByLabel('Country')).toHaveValue('United States');
    await page.getByRole('button', { name: 'Create organization' }).click();
    await page.waitForURL('**/myprofile');
    await expect(page.getByLabel('Country')).toHaveValue('United States');
  });
});

test('the whole page passes the checks of display, keyboard and screen reader', async ({ page, company }) => {
  const { urlName } = await company();
  await page.request.put('/api/user', { data: { email: `next.${urlName}@northwind.example` } });
  await page.goto(`/${urlName}/myprofile`);
  await expect(page.getByText('waits to be confirmed')).toBeVisible();
  // No provider is set up.
  await expect(page.getByRole('heading', { name: 'Linked sign-ins' })).toBeHidden();
  await judge(page);
  await page.getByLabel('First name').focus();
  for (const name of [
    'Last name',
    'Designation',
    'Country',
    'Time zone',
    'Email',
    'Phone',
    'Change password',
  ])
    await tabTo(page, name);
});
