import type { Locator, Page } from '@playwright/test';
import { choose, pictureFile } from './pictures.ts';
import { expect, expectAccessible, test } from './fixtures.ts';

const section = (page: Page, title: string) =>
  page.locator('form').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
const application = (page: Page) => section(page, 'Application');
const information = (page: Page) => section(page, 'Organization information');
const save = (page: Page, card: typeof application) =>
  card(page).getByRole('button', { name: 'Save changes' });

test('an icon is cropped by keyboard and shows in header and tab at once', async ({ page, company }) => {
  const { urlName } = await company();
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(`/${urlName}/organization`);
  await choose(page, 'Replace the light icon', await pictureFile(page, '#a33'), 'Enter');
  const dialog = page.getByRole('dialog', { name: 'Crop the light icon' });
  await expect(dialog).toBeVisible();
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expectAccessible(page);
  }
  await dialog.getByLabel('Zoom').press('ArrowRight');
  await dialog.getByRole('group', { name: 'Part of the image that is kept' }).press('ArrowLeft');
  await dialog.getByRole('button', { name: 'Save image' }).press('Enter');
  await expect(page.getByText('Icon updated')).toBeVisible();
  const icon = page.getByRole('img', { name: 'Light icon' });
  await expect(icon).toHaveAttribute('src', /^\/drive\/appicon\?/);
  // Opaque images are sent as JPEG.
  const stored = await page.request.get((await icon.getAttribute('src')) ?? '');
  expect(stored.headers()['content-type']).toBe('image/jpeg');
  const width = () => icon.evaluate((image: HTMLImageElement) => image.naturalWidth);
  await expect.poll(width).toBeGreaterThan(100);
  await expect(page.locator('link[rel="icon"]')).toHaveAttribute('href', /^\/drive\/appicon\?/);
  await page.reload();
  await expect(page.getByRole('banner').locator('img').first()).toBeVisible();
});

test('saving an icon sends the icon alone, and a slow upload can be cancelled', async ({ page, enter }) => {
  await enter('organization');
  await page.getByLabel('Application name').fill('Halfway');
  const uploads: string[] = [];
  const ours = /^\/(drive|api\/(orgs|clientOrgIcon))/;
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() !== 'GET' && ours.test(pathname)) uploads.push(`${request.method()} ${pathname}`);
  });
  const file = await pictureFile(page, '#a33');
  const dialog = page.getByRole('dialog', { name: 'Crop the dark icon' });
  const image = dialog.getByRole('button', { name: 'Save image' });

  // The upload gets no answer, so that it can be cancelled.
  await page.route('**/drive/appicon', () => {}, { times: 1 });
  await choose(page, 'Replace the dark icon', file);
  await image.click();
  await expect(dialog.getByRole('status')).toHaveText(/^Uploading, \d+ %$/);
  await image.dispatchEvent('click');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('img', { name: 'Dark icon' })).not.toHaveAttribute('src', /^\/drive/);
  expect(uploads).toEqual(['POST /drive/appicon']);

  await choose(page, 'Replace the dark icon', file);
  await image.click();
  await expect(page.getByText('Icon updated')).toBeVisible();
  await expect(page.getByText('No changes')).toBeHidden();
  await expect(page.getByLabel('Application name')).toHaveValue('Halfway');
  await expect(page.getByRole('banner')).not.toContainText('Halfway');
  expect(uploads.slice(1)).toEqual(['POST /drive/appicon', 'POST /api/clientOrgIcon']);
});

test('an icon accepts a dropped image, and a drop beside it does nothing', async ({ page, enter }) => {
  await enter('organization');
  const carried = await page.evaluateHandle(async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 300, height: 200 });
    canvas.getContext('2d')?.fillRect(0, 0, 300, 200);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    const transfer = new DataTransfer();
    transfer.items.add(new File([blob as Blob], 'icon.png', { type: 'image/png' }));
    return transfer;
  });
  const drag = (target: Locator, kind: string) =>
    target.evaluate(
      (element, [event, dataTransfer]) => {
        const options = { bubbles: true, cancelable: true, composed: true };
        const dragged = new DragEvent(event, { ...options, dataTransfer });
        element.dispatchEvent(dragged);
        return dragged.defaultPrevented;
      },
      [kind, carried] as const,
    );
  const icon = page.getByRole('img', { name: 'Dark icon' });
  const over = page.locator('[data-over]');
  await expect.poll(() => drag(icon, 'dragover')).toBe(true);
  await expect(over).toContainText('Dark icon');
  expect(await drag(page.getByRole('heading', { level: 1 }), 'dragover')).toBe(true);
  await expect(over).toHaveCount(0);
  expect(await drag(page.getByRole('heading', { level: 1 }), 'drop')).toBe(true);
  const dialog = page.getByRole('dialog');
  await expect(dialog).toHaveCount(0);

  await drag(icon, 'dragover');
  await drag(icon, 'drop');
  await expect(over).toHaveCount(0);
  await expect(dialog).toHaveAccessibleName('Crop the dark icon');
  await dialog.getByRole('button', { name: 'Save image' }).click();
  await expect(page.getByText('Icon updated')).toBeVisible();
  await expect(icon).toHaveAttribute('src', /^\/drive\/appicon\?/);
});

test('names and information have their rules, and a name from onboarding may stay', async ({
  page,
  enter,
}) => {
  await enter('organization', 'Northwind 24');
  const title = page.getByRole('heading', { level: 1, name: 'Organization' });
  await expect(title.locator('xpath=following-sibling::p')).toContainText('Professional Plan');
  for (const [typed, message] of [
    ['Port1', 'Please use letters only.'],
    ['Northwind', 'Please use at most 8 letters.'],
    ['Nordwind', 'Application updated'],
  ] as const) {
    await page.getByLabel('Application name').fill(typed);
    await save(page, application).click();
    await expect(page.getByText(message)).toBeVisible();
  }
  await expect(page.getByRole('banner')).toContainText('Nordwind');
  await expect(page).toHaveTitle('Organization · Nordwind');
  await expect(save(page, application)).toBeFocused();

  const count = page.getByLabel('Number of employees');
  await page.getByLabel('Website').fill('nowhere');
  await save(page, information).click();
  await expect(page.getByText('Please enter a web address')).toBeVisible();
  for (const [typed, message] of [
    ['', 'This field is required.'],
    ['many', 'Please enter a whole number.'],
    ['0', 'Please enter a number greater than 0.'],
    ['100001', 'Please enter at most 100000.'],
  ] as const) {
    await count.fill(typed);
    await save(page, information).click();
    await expect(information(page)).toContainText(message);
  }
  await expect(information(page).getByText('optional')).toHaveCount(2);
  await expect(page.getByLabel('Organization name')).toHaveAccessibleDescription(
    /^A new name takes letters and spaces only\. /,
  );
  await count.fill('24');
  await page.getByLabel('Website').fill('https://northwind.example');
  // Some password managers and extensions fill fields without an event.
  await page.getByLabel('Description').evaluate((field: HTMLTextAreaElement) => {
    field.value = 'Trade winds.';
  });
  await save(page, information).click();
  await expect(page.getByText('Organization information updated')).toBeVisible();
  await expect(page.getByLabel('Description')).toHaveValue('Trade winds.');
  await page.getByLabel('Organization name').fill('Northwind 25');
  await save(page, information).click();
  await expect(page.getByText('Please use letters only.')).toBeVisible();
  await page.getByLabel('Organization name').fill('Southwind Traders');
  await save(page, information).click();
  await expect(page.getByRole('banner')).toContainText('Southwind Traders');
});

test('a count that does not load leaves no skeleton', async ({ page, company }) => {
  const { urlName } = await company();
  const failure = { status: 503, json: { success: false, error: { code: 'unavailable', details: 'Busy.' } } };
  await page.route('**/api/orgusers?*', (route) => route.fulfill(failure));
  await page.goto(`/${urlName}/organization`);
  await expect(page.getByText('This could not be loaded')).toBeVisible();
  const heading = page.getByRole('heading', { name: 'Members', exact: true });
  await expect(heading).toBeVisible();
  await expect(heading.locator('xpath=following-sibling::*')).toHaveCount(0);
});
