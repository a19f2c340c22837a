import { expect, lastAct, newEmail, PASSWORD, signOut } from './fixtures.ts';
import { loginWith, onboard, openSignIn, test, typeCredentials } from './onward-fixtures.ts';

// Where sign-in leads on to (specification section 4): windows that close, follow-ups, the test page,
// closeTab.

test.describe('source', () => {
  test('monday.com closes its window after signing in', async ({ page, signature, company }) => {
    const { email } = await company();
    await signOut(page);
    await page.goto(`${signature.url}/#monday`);
    const popup = await openSignIn(page);
    await expect(popup.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
    await lastAct(popup, typeCredentials(popup, email));
  });

  test('zoho closes its window when already signed in', async ({ page, signature, company }) => {
    await company();
    await page.goto(`${signature.url}/#zoho`);
    const popup = await openSignIn(page);
    if (!popup.isClosed()) await popup.waitForEvent('close');
  });

  test('a window that stays open asks to be closed', async ({ page, signUpConfirmed }) => {
    const { email } = await signUpConfirmed();
    await signOut(page);
    await page.goto('/');
    await page.goto(loginWith({ source: 'zoho' }));
    await typeCredentials(page, email);
    await page.waitForURL('**/closetab');
    await expect(page.getByRole('heading', { name: 'You can close this tab' })).toBeVisible();
    await page.getByRole('button', { name: 'Close this tab' }).click();
    await expect(page.getByText('Your browser lets only you close this tab.')).toBeVisible();
  });
});

test.describe('the parameters next and base', () => {
  test('base=1 asks the account server for the destination', async ({ page, signature, company }) => {
    const { email, urlName } = await company();
    await signOut(page);
    await page.goto(loginWith({ next: 'sign', base: '1', action: 'sdk' }));
    await typeCredentials(page, email);
    await page.waitForURL(`${signature.url}/#/${urlName}`);
    await page.goto(`${signature.portalUrl}${loginWith({ next: 'myapps', base: '1' })}`);
    await page.waitForURL(`${signature.portalUrl}/${urlName}/myapps`);
  });

  test('base=2 asks the signature server with that server’s cookie', async ({ page, signature, company }) => {
    const { urlName } = await company();
    await page.goto(signature.url);
    signature.answers.set('followups/7', {
      success: true,
      response: { url: `${signature.url}/documents/7` },
    });
    signature.answers.set('followups/8', { url: `/${urlName}/myapps` });
    await page.goto(`${signature.portalUrl}${loginWith({ next: 'followups/7', base: '2' })}`);
    await page.waitForURL(`${signature.url}/documents/7`);
    expect(signature.asked.at(-1)).toMatchObject({
      method: 'GET',
      cookie: expect.stringContaining('signature=visitor'),
    });
    await page.goto(`${signature.portalUrl}${loginWith({ next: '/followups/8', base: '2' })}`);
    await page.waitForURL(`${signature.portalUrl}/${urlName}/myapps`);
  });

  test('a missing follow-up leads to the account', async ({ page, company }) => {
    const { urlName } = await company();
    for (const where of ['1', '2']) {
      await page.goto(loginWith({ next: 'followups/none', base: where }));
      await page.waitForURL(`**/${urlName}/myprofile`);
    }
  });
});

test('action sdk leads to the test page for signing', async ({ page, signature, company }) => {
  const { email } = await company();
  await signOut(page);
  await page.goto(loginWith({ action: 'sdk', redirect_url: 'https://evil.example/' }));
  await typeCredentials(page, email);
  await page.waitForURL(`${signature.url}/#/sdk/test`);
});

test('closeTab leads through onboarding to the page that asks for it', async ({ page, signature }) => {
  await page.goto(`/signup?closeTab=true&redirect_url=${encodeURIComponent(signature.url)}`);
  await page.getByLabel('Email').fill(newEmail());
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create my free account' }).click();
  await page.waitForURL('**/onboarding?action=no_org&closeTab=true*');
  await onboard(page, 'Closing Traders');
  await page.waitForURL('**/closetab');
});
