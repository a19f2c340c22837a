import { expect, test } from 'vitest';
import { applications, applicationUrl, isUpcoming } from '#contract/applications.ts';

const nothingSet = { signUrl: null, seoUrl: null, pricingUrl: null, supportEmail: null, googleLogin: false };
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
