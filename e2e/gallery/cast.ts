import type { APIRequestContext, Page } from '@playwright/test';
import { PASSWORD, test as base } from '../fixtures.ts';
import { Portal } from '../portal.ts';

const who = (
  name: string,
  surname: string,
  organizations: readonly string[],
  confirmed = true,
  twoStep = false,
) => ({
  name,
  surname,
  organizations,
  confirmed,
  twoStep,
});
/** The people in the pictures. Their data never changes, so the same state gives the same picture. */
const people = {
  /** Has just signed up. */
  noor: who('Noor', 'Haddad', [], false),
  ines: who('Ines', 'Moreau', ['Moreau Florists'], false),
  maya: who('Maya', 'Lindqvist', ['Northwind Traders']),
  otto: who('Otto', 'Okafor', ['Okafor Freight'], true, true),
  lena: who('Lena', 'Brandt', ['Harbour Logistics', 'Brandt Consulting']),
};
export type Name = keyof typeof people;

type Cookies = Awaited<ReturnType<APIRequestContext['storageState']>>['cookies'];

/** The tools a state is built with. */
export type Stage = {
  page: Page;
  /** Signs the browser in as one of the people. */
  as: (name: Name) => Promise<void>;
};

export const test = base.extend<Pick<Stage, 'as'>, { cast: Map<Name, Cookies> }>({
  portal: [
    async ({ playwright: _ }, use) => {
      const portal = await Portal.start({
        RATE_LIMIT_FACTOR: '1000',
        SIGN_URL: 'https://sign.northwind.example',
        SEO_URL: 'https://seo.northwind.example',
        PRICING_URL: 'https://northwind.example/pricing',
        SUPPORT_EMAIL: 'help@northwind.example',
      });
      await use(portal);
      await portal.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  cast: [({ playwright: _ }, use) => use(new Map()), { scope: 'worker' }],
  as: ({ cast, context, portal, playwright }, use) =>
    use(async (name) => {
      let cookies = cast.get(name);
      if (!cookies) {
        const request = await playwright.request.newContext({ baseURL: portal.url });
        cookies = await make(name, request, portal);
        cast.set(name, cookies);
        await request.dispose();
      }
      await context.addCookies(cookies);
    }),
});

async function make(key: Name, request: APIRequestContext, portal: Portal): Promise<Cookies> {
  const { name, surname, confirmed, organizations, twoStep } = people[key];
  const email = `${key}@northwind.example`;
  const signUp = { emailId: email, password: PASSWORD, timezone: 'Europe/Stockholm' };
  await request.post('/api/signup', { data: signUp });
  if (confirmed) {
    const digest = new URL(await portal.mailedLink(email)).searchParams.get('digest');
    await request.post('/api/verifyemail', { data: { digest } });
  }
  for (const organization of organizations) {
    const data = {
      first_name: name,
      last_name: surname,
      country_name: 'Sweden',
      organaization_name: organization,
    };
    await request.post('/api/orgs', { data });
  }
  if (twoStep) await request.put('/api/mfa', { data: { mfa_enabled: 1 } });
  return (await request.storageState()).cookies;
}
