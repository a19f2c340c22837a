import { expect, test } from 'vitest';
import type { RegisteredApplication } from '#contract/site.ts';
import type { OrgId } from '#contract/wire.ts';
import { applications, applicationUrl, cardsOf, isUpcoming } from './cards.ts';

const nothingSet = {
  signUrl: null,
  seoUrl: null,
  pricingUrl: null,
  supportEmail: null,
  destination: null,
  languages: [],
  googleLogin: false,
  applications: [],
};
const set = { ...nothingSet, signUrl: 'https://sign.example', seoUrl: 'https://seo.example/' };

test('the signature application opens at the organization, the SEO tool at its address', () => {
  const urls = (orgUrlName?: string) => applications.map((name) => applicationUrl(name, set, orgUrlName));
  expect(urls('northwind')).toEqual(['https://sign.example/#/northwind', 'https://seo.example/', null, null]);
  expect(urls()).toEqual(['https://sign.example', 'https://seo.example/', null, null]);
});

test('nothing opens without an address', () => {
  const urls = applications.map((name) => applicationUrl(name, nothingSet, 'northwind'));
  expect(urls).toEqual([null, null, null, null]);
  expect(applications.filter(isUpcoming)).toEqual(['forms', 'surveys']);
});

const organization = { id: 7 as OrgId, urlName: 'northwind' };
const registered = (name: string, membersOf: number | null = null) =>
  ({ name, description: 'Ours', icon: null, url: 'https://a.example', membersOf }) as RegisteredApplication;

test('an application for members of one organization has a card only there', () => {
  const site = {
    ...nothingSet,
    applications: [registered('All', 0), registered('Ours', 7), registered('Theirs', 8)],
  };
  const shown = (at?: typeof organization) =>
    cardsOf(site, at)
      .slice(4)
      .map(({ name }) => name);
  expect([shown(organization), shown()]).toEqual([['All', 'Ours'], ['All']]);
});

test('the default cards stay, and a registered application replaces its namesake or follows them', () => {
  const applicationsOf = [registered('Ledger'), registered('Seo Tool')];
  expect(cardsOf(nothingSet).map(({ name }) => name)).toEqual([
    'E-signature',
    'SEO tool',
    'Forms',
    'Surveys',
  ]);
  const cards = cardsOf({ ...set, applications: applicationsOf }, organization);
  expect(cards.map(({ name, url }) => [name, url])).toEqual([
    ['E-signature', 'https://sign.example/#/northwind'],
    ['Seo Tool', 'https://a.example'],
    ['Forms', null],
    ['Surveys', null],
    ['Ledger', 'https://a.example'],
  ]);
  expect(cards.map(({ application }) => application)).toEqual([...applications, null]);
});
