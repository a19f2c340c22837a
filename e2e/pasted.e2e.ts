import { expect, newEmail, PASSWORD, test } from './fixtures.ts';

// Pasted text with hidden characters, other dashes and other digits is accepted, and shown as it is stored.

const around = (text: string) => `\u202A${text.slice(0, 2)}\u200B${text.slice(2)}\u202C`;

test('a pasted address is cleaned at sign-up and for a forgotten password', async ({ page }) => {
  const email = newEmail();
  await page.goto('/signup');
  await page.getByLabel('Email').fill(around(email));
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create my free account' }).click();
  await expect(page.getByLabel('First name')).toBeVisible();
  expect(await (await page.request.get('/api/ustat')).json()).toMatchObject({ response: { email } });
  await page.request.delete('/api/logout', { data: {} });
  await page.goto('/forgotpassword');
  await page.getByLabel('Email').fill(around(email));
  await page.getByLabel('Email').press('Enter');
  await expect(page.getByText(email)).toBeVisible();
});

test('phone, size and web address are shown as they are stored', async ({ page, enter }) => {
  const { urlName, email } = await enter('myprofile');
  const phone = page.getByLabel('Phone');
  await phone.fill('\u202D+46\u00A070\u2011123\u201345\u200B67\u202C');
  await phone.press('Enter');
  await expect(page.getByText('Contact information updated')).toBeVisible();
  await expect(phone).toHaveValue('+46 70-123-4567');
  await page.getByLabel('Email').fill(around(email));
  await phone.fill('\u202A＋46 70-123-4567');
  await phone.press('Enter');
  await expect(page.getByText('No changes')).toBeVisible();

  await page.goto(`/${urlName}/organization`);
  await page.getByLabel('Number of employees').fill('１２０');
  await page.getByLabel('Website').fill('\u200Bhttps://north\u2011wind.example\u00A0');
  await page.getByLabel('Website').press('Enter');
  await expect(page.getByText('Organization information updated')).toBeVisible();
  await expect(page.getByLabel('Number of employees')).toHaveValue('120');
  await expect(page.getByLabel('Website')).toHaveValue('https://north-wind.example');
});

test('an internationalized address keeps its letters, typed and shown', async ({ page }) => {
  const email = newEmail().replace(/@.*/, '@bücher.example');
  await page.goto('/signup');
  await page.getByLabel('Email').pressSequentially(email);
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create my free account' }).click();
  await expect(page.getByText(email).first()).toBeVisible();
  const data = { first_name: 'Maya', country_name: 'Sweden' };
  const { response } = (await (await page.request.post('/api/orgs', { data })).json()) as {
    response: { OrgUrlName: string };
  };
  await page.goto(`/${response.OrgUrlName}/myprofile`);
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await expect(page.getByText('xn--')).toHaveCount(0);
  await page.getByLabel('Email').fill(email.replace('bücher', 'xn--bcher-kva'));
  await page.getByLabel('Phone').fill('070-123 45 67');
  await page.getByLabel('Phone').press('Enter');
  await expect(page.getByText('Contact information updated')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(email);
});
