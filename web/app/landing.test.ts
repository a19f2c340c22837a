import { describe, expect, test } from 'vitest';
import { isAreaPath, organizationIn } from '#contract/pages.ts';
import { ownPageAt } from '#contract/own-page.ts';
import { afterInitFailure, land, segmentToRemember } from './landing.ts';
import { pageAt } from './pages.ts';

const northwind = { id: 12, urlName: 'northwind' };
const pages = ['myapps', 'myprofile', 'communications'] as const;
const state = {
  search: '',
  closed: [],
  needsEntry: [],
  isReduced: false,
  firstPage: 'myprofile',
  isPage: (path: string) => pageAt(path) !== undefined,
  remembered: null,
} as const;

const nowhere = { go: 'page', page: 'myprofile', isUnknown: true } as const;

describe('landing', () => {
  const table = [
    // path, current, remembered → landing
    ['/', northwind, null, { go: 'page', page: 'myprofile' }],
    ['/', northwind, 'communications', { go: 'page', page: 'communications' }],
    ['/', northwind, 'organization', { go: 'page', page: 'myprofile' }],
    ['/', northwind, '../evil', { go: 'page', page: 'myprofile' }],
    ['/northwind', northwind, null, { go: 'page', page: 'myprofile' }],
    ['/northwind', northwind, 'communications', { go: 'page', page: 'communications' }],
    ['/onboarding', northwind, null, { go: 'page', page: 'myprofile' }],
    ['/northwind/myapps', northwind, 'communications', { go: 'stay' }],
    ['/northwind/myapps/', northwind, null, { go: 'stay' }],
    ['/northwind/organization', northwind, null, { go: 'page', page: 'myprofile' }],
    ['/northwind/myapps/deeper', northwind, null, nowhere],
    ['/northwind/nowhere', northwind, 'communications', { ...nowhere, page: 'communications' }],
    ['/account/nowhere', northwind, null, nowhere],
    ['/12', northwind, null, { go: 'page', page: 'myprofile' }],
    ['/c12', northwind, 'communications', { go: 'page', page: 'communications' }],
    ['/c12/myapps', northwind, null, { go: 'page', page: 'myapps' }],
    ['/12/myapps', northwind, null, { go: 'page', page: 'myapps' }],
    ['/13/myapps', northwind, null, { go: 'root' }],
    ['/c13', northwind, null, { go: 'root' }],
    ['/elsewhere', northwind, null, { go: 'root' }],
    ['/elsewhere/myprofile', northwind, null, { go: 'root' }],
    ['/onboarding/deeper', northwind, null, { go: 'root' }],
    ['/', null, 'communications', { go: 'onboarding', search: { action: 'no_org' } }],
    ['/northwind/myprofile', null, null, { go: 'onboarding', search: { action: 'no_org' } }],
    ['/onboarding', null, null, { go: 'onboarding', search: { action: 'no_org' } }],
    ['/onboarding?action=no_org', null, null, { go: 'stay' }],
    ['/onboarding?action=no_org&closeTab=true', null, null, { go: 'stay' }],
    ['/account/myprofile', null, null, { go: 'stay' }],
    ['/account', null, null, { go: 'onboarding', search: { action: 'no_org' } }],
    ['/account/organization', null, null, { go: 'onboarding', search: { action: 'no_org' } }],
    ['/account/myprofile/deeper', null, null, { go: 'onboarding', search: { action: 'no_org' } }],
    ['/account/communications', northwind, null, { go: 'page', page: 'communications' }],
    ['/account/organization', northwind, null, { go: 'page', page: 'myprofile' }],
    ['/?closeTab=true', null, null, { go: 'onboarding', search: { action: 'no_org', closeTab: 'true' } }],
    ['/?closeTab=yes', null, null, { go: 'onboarding', search: { action: 'no_org' } }],
    [
      '/?redirect_url=https%3A%2F%2Fa.example%2F&org=acme&closeTab=true&x=1',
      null,
      null,
      {
        go: 'onboarding',
        search: { action: 'no_org', closeTab: 'true', redirect_url: 'https://a.example/', org: 'acme' },
      },
    ],
    [
      '/?source=zoho&next=sign&base=1&action=sdk&redirectpath=%2Facme',
      null,
      null,
      { go: 'onboarding', search: { action: 'no_org', source: 'zoho', next: 'sign', base: '1' } },
    ],
  ] as const;

  test.each(table)('%s in %o remembering %s', (address, current, remembered, where) => {
    const { pathname: path, search } = new URL(address, 'http://portico.example');
    expect(land({ ...state, path, search, current, pages, remembered })).toEqual(where);
  });
});

test.each([
  ['/12/organization', { go: 'page', page: 'organization' }],
  ['/c12/organization/role', { go: 'page', page: 'organization/role' }],
  ['/12/organization/role/3', { go: 'page', page: 'organization/role/3' }],
  ['/northwind/organization/role/3', { go: 'stay' }],
  ['/12/organization/role/03', nowhere],
  ['/12/organization/applications', { go: 'page', page: 'organization/applications' }],
  ['/12/organization/webhooks', { go: 'page', page: 'organization/webhooks' }],
  ['/12/organization/applications/3', { go: 'page', page: 'organization/applications/3' }],
  ['/northwind/organization/webhooks/123456789012345', { go: 'stay' }],
  ['/northwind/organization/data', { go: 'stay' }],
  ['/12/organization/webhooks/x', nowhere],
  ['/12/organization/roles', nowhere],
  ['/13/organization/role/3', { go: 'root' }],
])('below a page, %s leads to %o', (path, where) => {
  const open = [...pages, 'organization'] as const;
  expect(land({ ...state, path, current: northwind, pages: open })).toEqual(where);
});

const fabrikam = { id: 13, urlName: 'fabrikam' };
const notice = { go: 'second step', org: 'fabrikam' };
test.each([
  ['/', null, notice],
  ['/fabrikam', null, notice],
  ['/elsewhere/myprofile', null, notice],
  ['/account/myprofile', null, { go: 'stay' }],
  ['/account/secondstep', null, { go: 'stay' }],
  ['/onboarding', null, { go: 'onboarding', search: { action: 'no_org' } }],
  ['/fabrikam/organization', northwind, { ...notice, page: '/fabrikam/organization' }],
  ['/13/myprofile', northwind, { ...notice, page: '/13/myprofile' }],
  ['/account/secondstep', northwind, { go: 'stay' }],
  ['/', northwind, { go: 'page', page: 'myprofile' }],
  ['/northwind/myapps', northwind, { go: 'stay' }],
])('while Fabrikam asks for a second step, %s in %o leads to %o', (path, current, where) => {
  expect(land({ ...state, path, current, pages, closed: [fabrikam] })).toEqual(where);
});

test.each([
  ['/', null, { go: 'company entry', org: 'fabrikam' }],
  ['/fabrikam/myapps', northwind, { go: 'company entry', org: 'fabrikam', page: '/fabrikam/myapps' }],
  ['/account/companyentry', null, { go: 'stay' }],
  ['/account/companylink', null, { go: 'stay' }],
  ['/account/sociallink', null, { go: 'stay' }],
  ['/northwind/myapps', northwind, { go: 'stay' }],
])('while Fabrikam asks for the company’s sign-in, %s in %o leads to %o', (path, current, where) => {
  expect(land({ ...state, path, current, pages, needsEntry: [fabrikam] })).toEqual(where);
});

test.each([
  ['/', undefined],
  ['/onboarding', undefined],
  ['/account/myprofile', undefined],
  ['/123', { id: 123 }],
  ['/c123', { id: 123 }],
  ['/c123/myprofile', { id: 123 }],
  ['/northwind/myprofile', { urlName: 'northwind' }],
  ['/c0', { urlName: 'c0' }],
  ['/0', { urlName: '0' }],
  ['/cc1', { urlName: 'cc1' }],
  ['/12a', { urlName: '12a' }],
  ['/1234567890123456', { urlName: '1234567890123456' }],
])('%s names the organization %o', (path, organization) => {
  expect(organizationIn(path)).toEqual(organization);
});

test.each([
  ['/northwind/communications', 'communications'],
  ['/northwind/organization/role/5', 'organization'],
  ['/northwind/myapps', undefined],
  ['/northwind', undefined],
  ['/communications', undefined],
])('after %s the next visit opens %s', (path, segment) => {
  expect(segmentToRemember(path)).toBe(segment);
});

test.each([
  ['/', true],
  ['/northwind', true],
  ['/onboarding', true],
  ['/northwind/myapps', true],
  ['/northwind/organization/role/5', true],
  ['/12', true],
  ['/c12/myapps', true],
  ['/account/deleteaccount', true],
  ['/account/secondstep', true],
  ['/account/companyentry', true],
  ['/account/companylink', true],
  ['/account/sociallink', true],
  ['/xyz/abc', false],
  ['/onboarding/myapps', false],
  ['/login/', false],
  ['/Northwind', false],
  ['/n%C3%B6rd', false],
  ['/%20', false],
  ['/a', false],
  ['/0', false],
  ['/northwind/myprofile/deeper', false],
])('%s could be a page of the area: %s', (path, isPossible) => {
  expect(isAreaPath(path)).toBe(isPossible);
  expect(isPossible ? ownPageAt(path) : path).toBe(path);
});

test.each([
  ['not_signed_in', '/northwind', 'login'],
  ['user_not_found', '/', 'signOut'],
  ['org_not_found', '/c77/myprofile', 'root'],
  ['org_id_invalid', '/c77', 'root'],
  ['second_step_required', '/c77', 'root'],
  ['second_step_required', '/', 'error'],
  ['company_sign_in_required', '/c77', 'root'],
  ['account_proof_required', '/c77', 'root'],
  ['org_not_found', '/', 'error'],
  ['internal_error', '/northwind', 'error'],
  ['unavailable', '/', 'error'],
])('init refused with %s at %s leads to %s', (code, path, recovery) => {
  expect(afterInitFailure(code, path)).toBe(recovery);
});
