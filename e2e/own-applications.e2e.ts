import { addRole } from './colleagues.ts';
import { expect, judge, test } from './fixtures.ts';
import { choose, chooseFile, press, pressEntry, tabTo, type } from './keyboard.ts';
import { pictureFile } from './pictures.ts';

const CALLBACK = 'https://books.example/callback';

test('an application is added, changed, paused and removed', async ({ page, context, company }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { urlName } = await company();
  await addRole(page, 'Sales');
  await page.goto(`/${urlName}/organization`);
  await press(page, /^Applications$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Applications' })).toBeVisible();
  await expect(page.getByText('No applications yet')).toBeVisible();

  await press(page, 'Add application');
  const dialog = page.getByRole('dialog', { name: 'Add application' });
  await expect(dialog).toContainText('Without it the application is not on My Apps.');
  await type(page, 'Name', 'Books');
  await type(page, 'Redirect addresses', 'http://books.example/callback');
  await tabTo(page, 'Start address');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Please begin with https://. Only localhost may use http://.')).toBeVisible();
  await expect(dialog.getByLabel('Redirect addresses')).toBeFocused();
  await judge(page);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(CALLBACK);
  await type(page, 'Start address', 'https://books.example/');
  await choose(page, 'Who may use it', 'Ch', 'Chosen roles');
  await expect(dialog.getByText('Nobody can use it until you choose a role.')).toBeVisible();
  await tabTo(page, 'Sales');
  await page.keyboard.press('Space');
  await press(page, 'Add application');

  const secret = page.getByRole('dialog', { name: 'Secret of Books' });
  await expect(secret.getByLabel('Secret', { exact: true })).toHaveValue(/^[\w-]{43}$/);
  await expect(secret.getByLabel('Secret', { exact: true })).toBeFocused();
  await expect(secret.getByLabel('Secret', { exact: true })).toHaveJSProperty('scrollLeft', 0);
  await judge(page);
  await press(page, 'Copy Secret');
  await expect(page.getByText('Copied')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    await secret.getByLabel('Secret', { exact: true }).inputValue(),
  );
  await press(page, 'Done');
  await expect(secret).toBeHidden();
  await expect(page.getByRole('heading', { level: 1, name: 'Books' })).toBeFocused();
  await press(page, 'Copy Client ID');
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/^app-/);
  const discovery = page.getByRole('textbox', { name: 'Discovery address' });
  expect(await (await page.request.get(await discovery.inputValue())).json()).toMatchObject({
    issuer: await page.getByRole('textbox', { name: 'Address of this portal (issuer)' }).inputValue(),
  });
  const guide = await page.getByRole('link', { name: 'Read the guide' }).getAttribute('href');
  expect(await (await page.request.get(guide ?? '')).text()).toContain('How people enter your application');
  await expect(page.getByRole('link', { name: 'Test the sign-in' })).toHaveAttribute(
    'href',
    'https://books.example/',
  );
  await judge(page);

  await press(page, /^Applications$/);
  await expect(page.getByRole('row', { name: /Books/ })).toContainText('Never');
  await judge(page);
  await press(page, 'Edit Books');
  await type(page, 'Name', 'Library');
  await press(page, 'Save changes');
  await expect(page.getByText('Application saved')).toBeVisible();

  await press(page, /^Library$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Library' })).toBeFocused();
  await chooseFile(page, 'Choose an icon', await pictureFile(page, '#0a6b60'));
  await expect(page.getByRole('dialog', { name: 'Crop the icon of Library' })).toBeVisible();
  await press(page, /^Save/);
  await expect(page.getByText('Icon saved')).toBeVisible();
  const picture = page.getByRole('main').locator('img');
  await expect(picture).toHaveJSProperty('complete', true);
  await judge(page);
  await press(page, /^Edit$/);
  await tabTo(page, 'Remove the icon');
  await page.keyboard.press('Space');
  await judge(page);
  await press(page, 'Save changes');
  await expect(picture).toHaveCount(0);

  await press(page, 'Make new secret');
  await expect(page.getByText('The current secret stays valid for 24 hours')).toBeVisible();
  await press(page, 'Make new secret');
  await expect(page.getByRole('dialog', { name: 'Secret of Library' })).toBeVisible();
  await press(page, 'Done');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Close' }).click();
  await expect(page.getByText(/^The old secret works until/)).toBeVisible();

  await press(page, /^Pause$/);
  await press(page, /^Pause$/);
  await expect(page.getByText('Paused', { exact: true })).toBeVisible();
  await press(page, /^Applications$/);
  await press(page, 'More for Library');
  await pressEntry(page, 'Home', 'Resume');
  await press(page, /^Resume$/);
  await expect(page.getByText('Active', { exact: true })).toBeVisible();

  await press(page, /^Library$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Library' })).toBeFocused();
  const address = page.url();
  await press(page, 'Remove application');
  await type(page, 'Type Library to confirm', 'Books');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Please type the name exactly as it is written above.')).toBeVisible();
  await judge(page);
  await type(page, 'Type Library to confirm', 'Library');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Application removed')).toBeVisible();
  await expect(page.getByText('No applications yet')).toBeVisible();
  await page.goto(address);
  await expect(page.getByText('This application no longer exists')).toBeVisible();
  await judge(page);
  await press(page, 'To the applications');
  await expect(page.getByText('No applications yet')).toBeVisible();
});
