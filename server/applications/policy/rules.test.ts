import { expect, test } from 'vitest';
import type { OrgId } from '#contract/wire.ts';
import { needsConsent } from '#server/applications/policy/rules.ts';

const suite = { is_first_party: true, org_id: null, applicationType: 'web' };
const own = { ...suite, is_first_party: false, org_id: 1 as OrgId };
const foreign = { ...own, org_id: null };
const kinds = { suite, own, foreign, installed: { ...suite, applicationType: 'native' } };

test.for<[keyof typeof kinds, string, boolean]>([
  ['suite', 'openid phone', false],
  ['own', 'openid profile email organization', false],
  ['own', 'openid phone', true],
  ['own', '', false],
  ['foreign', 'openid', true],
  ['foreign', '', false],
  ['installed', '', true],
])('an application (%s) that lacks "%s" needs consent: %s', ([kind, missing, isNeeded]) => {
  expect(needsConsent(kinds[kind], missing.split(' ').filter(Boolean))).toBe(isNeeded);
});
