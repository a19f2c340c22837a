import { SOCIAL_CLIENT } from '#server/testing/providers.ts';
import { scimClient } from '#server/testing/directories.ts';
import { answerOf, setUpApp } from './authenticators.ts';
import { invite, join, lookAgain, openSettings, organizationOf } from './colleagues.ts';
import { connectProvider, foundCompany, test } from './company-fixtures.ts';
import { expect, foundAt, judge, PASSWORD, signOut } from './fixtures.ts';
import { press, type } from './keyboard.ts';

const OFFER = 'Continue with your company';
const NEEDED = 'Northwind Traders asks you to sign in through your company';

test('a guest links from their own session, and their company account alone opens nothing', async ({
  page,
  portal,
  names,
  elsewhere,
}) => {
  const { boss, urlName, orgId } = await foundCompany(page, portal, names);
  const gina = await elsewhere();
  const guest = await invite(page, 'Gina Ferri', 'Admin');
  await join(portal, gina.request, guest);
  const { provider, send } = await connectProvider(page, orgId, boss);
  await setUpApp(page.request);
  const visit = { company: urlName, redirectpath: `/${urlName}/organization/signin` };
  await page.goto(
    (await answerOf<{ auth_url: string }>(page.request.post('/api/company/start', { data: visit }))).auth_url,
  );
  await press(page, 'Link account');
  await expect(page).toHaveURL(/organization\/signin/);
  await send('put', '/api/orgs/companyrule', { rule: 'everybody' });

  provider.person = { sub: 'gina', email: guest.email, email_verified: true };
  await gina.goto(`/${urlName}/myapps`);
  await expect(gina.getByRole('heading', { name: NEEDED })).toBeVisible();
  await judge(gina);
  await press(gina, OFFER);
  await expect(
    gina.getByRole('heading', { name: 'Link your account with Northwind Traders?' }),
  ).toBeVisible();
  await judge(gina);
  await press(gina, 'Link account');
  await expect(gina).toHaveURL(new RegExp(`/${urlName}/myapps`));

  await signOut(gina);
  await gina.goto(`/login?company=${urlName}`);
  await press(gina, OFFER);
  await expect(gina.getByText(/^You are a guest of this company/)).toBeVisible();
  await judge(gina);
  await press(gina, 'Return to login');
  await type(gina, 'Email', guest.email);
  await type(gina, 'Password', PASSWORD);
  await gina.keyboard.press('Enter');
  await expect(gina.getByRole('heading', { name: NEEDED })).toBeVisible();
  await press(gina, OFFER);
  await expect(gina).toHaveURL(new RegExp(`/${urlName}/`));
  await provider.close();
});

test('the directory deactivates a signed-in person, who keeps their other organization', async ({
  page,
  portal,
  names,
  elsewhere,
}) => {
  const { domain, urlName, orgId: org_id } = await foundCompany(page, portal, names);
  const tom = await elsewhere();
  const person = await invite(page, 'Tom Berg', 'Admin', '', `tom@${domain}`);
  await join(portal, tom.request, person);
  const own = await foundAt(tom.request, 'Toms Bakery');
  const { roles } = await organizationOf(page);
  const data = { org_id, role_id: roles['Admin'] };
  const { token } = await answerOf<{ token: string }>(page.request.post('/api/orgs/directory', { data }));
  const directory = scimClient(portal, token);
  const { id } = (await directory.post('/Users', { userName: person.email, active: true })).body;

  await openSettings(tom, urlName);
  await directory.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false });
  // The open page notices at its next call.
  await lookAgain(tom);
  await expect(tom.getByText(/^Your session has ended/)).toBeVisible();
  await judge(tom);
  await type(tom, 'Email', person.email);
  await type(tom, 'Password', PASSWORD);
  await tom.keyboard.press('Enter');
  await expect(tom).toHaveURL(new RegExp(`/${own.OrgUrlName}/`));
  await expect(tom.getByText(/^You have no organization at this address/)).toBeVisible();
  await judge(tom);
});

test('a provider that is down, or no longer takes our secret, says what to do, and a Super Admin finds the attempt', async ({
  page,
  portal,
  names,
  elsewhere,
}) => {
  const { domain, boss, urlName, orgId } = await foundCompany(page, portal, names);
  const { provider, change } = await connectProvider(page, orgId, boss);
  const ann = await elsewhere();
  const fails = async (words: string) => {
    await ann.goto('/login');
    await type(ann, 'Email', `ann@${domain}`);
    await press(ann, OFFER);
    const told = ann.getByText(words);
    await expect(told).toBeVisible();
    await judge(ann);
    return /[0-9A-F]{8}/.exec((await told.textContent()) ?? '')?.[0] ?? 'no reference';
  };
  await change({ secret: 'expired' });
  const refused = await fails('refused our access, probably because a secret has expired');
  await change({ secret: SOCIAL_CLIENT.secret });
  provider.misbehaves = (response) => response.destroy();
  const down = await fails('does not answer');
  provider.misbehaves = () => {};
  const slow = await fails('does not answer');
  await provider.close();
  await page.goto(`/${urlName}/organization/signin`);
  for (const [reference, cause] of [
    [refused, 'The provider refused our secret.'],
    [down, 'The provider did not answer.'],
    [slow, 'The provider did not answer.'],
  ] as const) {
    const attempt = page.getByRole('listitem').filter({ hasText: reference });
    await expect(attempt).toContainText(cause);
  }
  await judge(page);
});
