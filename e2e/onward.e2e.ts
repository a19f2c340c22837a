import { setUpApp } from './authenticators.ts';
import { expect, foundAt, newEmail, PASSWORD, signOut } from './fixtures.ts';
import { greeting, loginWith, onboard, test, typeCredentials } from './onward-fixtures.ts';

// Where sign-in leads on to (specification section 4): redirect_url, which takes precedence over all others.

test.describe('redirect_url', () => {
  test('leads on with a code that names the person, once', async ({ page, signature, company }) => {
    const { email, urlName } = await company();
    await signOut(page);
    await page.goto(`${signature.url}/`);
    const address = `${signature.url}/documents/7?view=all`;
    await page.goto(
      loginWith({ redirect_url: address, source: 'zoho', next: 'myapps', base: '1', redirectpath: '/x' }),
    );
    await typeCredentials(page, email);
    await expect(greeting(page, `${email} of ${urlName}`)).toBeVisible();
    expect(page.url()).toMatch(new RegExp(`^${signature.url}/documents/7\\?view=all&code=[\\w-]{43}$`));
    await page.reload();
    await expect(greeting(page, 'Refused: digest_invalid')).toBeVisible();
    // The login page would only redirect here again.
    await page.goBack();
    await page.waitForURL(`${signature.url}/`);
  });

  test('carries the link’s or default organization', async ({ page, elsewhere, signature, company }) => {
    const { email, urlName } = await company();
    const response = await foundAt(page.request, 'Second Traders');
    await signOut(page);
    await page.goto(loginWith({ redirect_url: `${signature.url}/`, org: response.OrgUrlName }));
    await page.getByRole('link', { name: 'Create a free account' }).click();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await typeCredentials(page, email);
    await expect(greeting(page, `${email} of ${response.OrgUrlName}`)).toBeVisible();

    await page.goto(loginWith({ redirect_url: `${signature.url}/`, org: 'nowhere' }));
    await expect(greeting(page, `${email} of ${urlName}`)).toBeVisible();

    // On another device the organization is told to ask for a second step, which this one has not given.
    const { request } = await elsewhere();
    await request.post('/api/signin', { data: { email_id: email, password: PASSWORD, timezone: '' } });
    const code = await setUpApp(request);
    const rule = { org_id: response.Id, rule: 'strong' };
    expect((await request.put('/api/orgs/secondstep', { data: rule })).ok()).toBe(true);
    await page.goto(loginWith({ redirect_url: `${signature.url}/start`, org: response.OrgUrlName }));
    await page.waitForURL('**/account/secondstep?*');
    await page.getByRole('button', { name: 'Confirm and open Second Traders' }).click();
    await expect(page.getByRole('textbox', { name: /^\d-digit code/ })).toBeFocused();
    await page.keyboard.type(code);
    await expect(greeting(page, `${email} of ${response.OrgUrlName}`)).toBeVisible();
    expect(new URL(page.url()).pathname).toBe('/start');
  });

  test('falls back to no organization that was not asked for', async ({ page, signature, company }) => {
    const { urlName } = await company();
    const response = await foundAt(page.request, 'Named Traders');
    await page.route('**/api/redirect', (route) => route.abort(), { times: 1 });
    await page.goto(loginWith({ redirect_url: `${signature.url}/`, org: response.OrgUrlName }));
    await page.waitForURL(`**/${urlName}**`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  });

  test('waits for the second step', async ({ page, portal, signature, withTwoStep }) => {
    const { email } = await withTwoStep();
    await page.goto(loginWith({ redirect_url: `${signature.url}/` }));
    await typeCredentials(page, email);
    await expect(page.getByRole('textbox', { name: /^\d-digit code$/ })).toBeFocused();
    await page.keyboard.type(await portal.mailedCode(email));
    await expect(greeting(page, `${email} of no organization`)).toBeVisible();
  });

  test('survives sign-up and onboarding', async ({ page, signature }) => {
    const email = newEmail();
    await page.goto(loginWith({ redirect_url: `${signature.url}/start` }));
    await page.getByRole('link', { name: 'Create a free account' }).click();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Create my free account' }).click();
    await expect(page.getByRole('heading', { name: 'Here you go!' })).toBeVisible();
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      action: 'no_org',
      redirect_url: `${signature.url}/start`,
    });
    await onboard(page, 'Onward Traders');
    await expect(
      page.getByRole('heading', { name: new RegExp(`^${email} of onward-traders`) }),
    ).toBeVisible();
  });

  test('survives a forgotten password', async ({ page, context, portal, signature, signUpConfirmed }) => {
    const { email } = await signUpConfirmed();
    await signOut(page);
    await page.goto(loginWith({ redirect_url: `${signature.url}/` }));
    await page.getByLabel('Email').fill(email);
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await page.getByRole('button', { name: 'Send me a link' }).click();
    await expect(page.getByRole('link', { name: 'Return to login' })).toHaveAttribute(
      'href',
      /redirect_url=/,
    );

    const tab = await context.newPage();
    const mail = await portal.mailed(email, 'Choose a new password');
    await tab.goto(/https?:\/\/\S+/.exec(mail)?.[0] ?? '');
    await tab.getByLabel('New password').fill('quiet lantern 77');
    await tab.getByLabel('Repeat password').fill('quiet lantern 77');
    await tab.getByRole('button', { name: 'Update password' }).click();
    await tab.waitForURL('**/login?redirect_url=*');
    await typeCredentials(tab, email, 'quiet lantern 77');
    await expect(greeting(tab, `${email} of no organization`)).toBeVisible();
  });

  test('survives confirming the address', async ({ page, portal, signature, signUp }) => {
    const { email } = await signUp();
    await signOut(page);
    await page.goto(loginWith({ redirect_url: `${signature.url}/` }));
    await typeCredentials(page, email);
    await expect(page.getByText('Sent to m•••@northwind.example')).toBeVisible();
    await page.goto(await portal.mailedLink(email));
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Confirm my address' }).click();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await typeCredentials(page, email);
    await expect(greeting(page, `${email} of no organization`)).toBeVisible();
  });

  test('is ignored when it is not on the list', async ({ page, signature, company }) => {
    const { email, urlName } = await company();
    const departures: string[] = [];
    page.on('request', (request) => {
      const isPage = new RegExp(`^${signature.portalUrl}/(?!api/)`).test(request.url());
      if (request.isNavigationRequest() && !isPage) departures.push(request.url());
    });
    const host = new URL(signature.url).host;
    for (const redirect_url of [
      '//evil.example',
      `/\\${host}`,
      'javascript:alert(document.domain)',
      `http://${host}@evil.example/`,
    ]) {
      await page.goto(loginWith({ redirect_url }));
      await page.waitForURL(`**/${urlName}/myprofile`);
    }
    // Nor is an address that a follow-up returns, nor a call of the portal.
    signature.answers.set('followups/evil', { url: 'https://evil.example/' });
    await page.route('**/api/next/evil', (route) =>
      route.fulfill({ json: { success: true, response: { url: 'javascript:alert(1)' } } }),
    );
    for (const way of [
      { next: 'followups/evil', base: '2' },
      { next: 'evil', base: '1' },
      { redirectpath: '/api/auditlogs/export?format=csv' },
    ]) {
      await page.goto(loginWith(way));
      await page.waitForURL(`**/${urlName}/myprofile`);
    }
    await signOut(page);
    await page.goto(loginWith({ redirect_url: 'https://evil.example/', redirectpath: `/${urlName}/myapps` }));
    await typeCredentials(page, email);
    await page.waitForURL(`**/${urlName}/myapps`);
    expect(departures).toEqual([]);
  });
});

test('without the redirect code the person reaches their account', async ({ page, signature, company }) => {
  const { urlName } = await company();
  await page.route('**/assets/way-out-*.js', (route) => route.fulfill({ status: 404 }));
  await page.goto(loginWith({ redirect_url: signature.url }));
  await page.waitForURL(`**/${urlName}/myprofile`);
});
