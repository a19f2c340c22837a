import { readFileSync } from 'node:fs';
import type { APIRequestContext, Page } from '@playwright/test';
import { brandFolder } from '#server/testing/brands.ts';
import { confirmedAt, foundAt, signUpAt, test as base } from '../fixtures.ts';
import { Portal } from '../portal.ts';

type Who = { first_name: string; last_name: string; in?: string[]; isNew?: boolean; hasTwoStep?: boolean };
/** The people in the pictures. Their data never changes, so the same state gives the same picture. */
const people = {
  /** Has just signed up. */
  noor: { first_name: 'Noor', last_name: 'Haddad', isNew: true },
  ines: { first_name: 'Ines', last_name: 'Moreau', in: ['Moreau Florists'], isNew: true },
  maya: { first_name: 'Maya', last_name: 'Lindqvist', in: ['Northwind Traders'] },
  otto: { first_name: 'Otto', last_name: 'Okafor', in: ['Okafor Freight'], hasTwoStep: true },
  lena: { first_name: 'Lena', last_name: 'Brandt', in: ['Harbour Logistics', 'Brandt Consulting'] },
} satisfies Record<string, Who>;
export type Name = keyof typeof people;

type Cookies = Awaited<ReturnType<APIRequestContext['storageState']>>['cookies'];

/** The tools a state is built with. */
export type Stage = {
  page: Page;
  portal: Portal;
  /** Of the browser and its person. */
  language: string;
  /** Signs the browser in as one of the people. */
  as: (name: Name) => Promise<void>;
};

const logos = Object.fromEntries(
  ['logo-light.svg', 'logo-dark.svg'].map((name) => [name, readFileSync(`deploy/brand-example/${name}`)]),
);

export const test = base.extend<Pick<Stage, 'as'>, { cast: Map<Name, Cookies>; brand: object | null }>({
  brand: [null, { option: true, scope: 'worker' }],
  portal: [
    async ({ brand }, use) => {
      const portal = await Portal.start({
        RATE_LIMIT_FACTOR: '1000',
        SIGN_URL: 'https://sign.northwind.example',
        SEO_URL: 'https://seo.northwind.example',
        PRICING_URL: 'https://northwind.example/pricing',
        SUPPORT_EMAIL: 'help@northwind.example',
        ...(brand && { BRAND_DIR: brandFolder(brand, logos) }),
      });
      await use(portal);
      await portal.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  cast: [({ playwright: _ }, use) => use(new Map()), { scope: 'worker' }],
  as: ({ cast, context, portal, playwright, locale }, use) =>
    use(async (name) => {
      let cookies = cast.get(name);
      if (!cookies) {
        const request = await playwright.request.newContext({ baseURL: portal.url });
        cookies = await make(name, request, portal);
        cast.set(name, cookies);
        await request.dispose();
      }
      await context.addCookies(cookies);
      const data = { first_name: people[name].first_name, language: locale ?? '' };
      if (locale !== 'en-GB') await context.request.put('/api/user', { data });
    }),
});

async function make(key: Name, request: APIRequestContext, portal: Portal): Promise<Cookies> {
  const { in: organizations = [], isNew, hasTwoStep, ...person }: Who = people[key];
  const email = `${key}@northwind.example`;
  await (isNew ? signUpAt(request, email) : confirmedAt(portal, request, email));
  for (const organization of organizations) await foundAt(request, organization, person);
  if (hasTwoStep) await request.put('/api/mfa', { data: { mfa_enabled: 1 } });
  return (await request.storageState()).cookies;
}
