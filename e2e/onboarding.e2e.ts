import { expect, test } from './fixtures.ts';

test('keys pressed before a list has loaded go to it, never to the form', async ({ page, signUp }) => {
  await signUp();
  let release = () => {};
  const gate = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/assets/combobox*.js', async (route) => {
    await gate;
    await route.continue();
  });
  await page.goto('/');
  await expect(page.getByLabel('First name')).toBeFocused();
  await page.getByLabel('First name').fill('Maya');
  await page.getByLabel('Country').focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('swed');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Country')).toHaveValue('swed');
  await expect(page.getByRole('heading', { name: 'Here you go!' })).toBeVisible();

  release();
  await page.getByRole('option', { name: 'Sweden' }).waitFor();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Here you go!' })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Country')).toHaveValue('Sweden');

  // A click selects the chosen country, so that typing replaces it.
  await page.getByLabel('First name').click();
  await page.getByLabel('Country').click();
  await page.keyboard.type('germ');
  await expect(page.getByLabel('Country')).toHaveValue('germ');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Country')).toHaveValue('Germany');

  // A selection made by dragging stays as it is.
  await page.getByLabel('First name').click();
  const country = page.getByLabel('Country');
  const { x, y, height } = (await country.boundingBox()) ?? { x: 0, y: 0, height: 0 };
  await page.mouse.move(x + 60, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + 4, y + height / 2);
  await page.mouse.up();
  const selection = await country.evaluate((field: HTMLInputElement) => [
    field.selectionStart,
    (field.selectionEnd ?? 0) < field.value.length,
  ]);
  expect(selection).toEqual([0, true]);
  expect((await (await page.request.get('/api/orgs')).json()) as object).toMatchObject({ response: [] });
});
