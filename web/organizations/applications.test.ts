import { expect, test } from 'vitest';
import type { Site } from '#contract/site.ts';
import { applicationsOf } from './applications.ts';

const urls = (site: Partial<Site>) =>
  applicationsOf(
    { signUrl: null, seoUrl: null, pricingUrl: null, supportEmail: null, googleLogin: false, ...site },
    'northwind',
  ).map(({ url }) => url);

test('the signature application opens at the organization, whether its address ends in a slash or not', () => {
  expect(urls({ signUrl: 'https://sign.example' })[0]).toBe('https://sign.example/#/northwind');
  expect(urls({ signUrl: 'https://sign.example/' })[0]).toBe('https://sign.example/#/northwind');
});

test('the SEO tool opens at its address', () => {
  expect(urls({ seoUrl: 'https://seo.example/' })[1]).toBe('https://seo.example/');
});

test('nothing opens where no address is set', () => {
  expect(urls({})).toEqual([null, null, null, null]);
});
