import { expect, test } from 'vitest';
import type { OrgId } from '#contract/wire.ts';
import { hintedEmail, hostOf, needsConsent, stepOf } from './rules.ts';

test.for([
  [' maya@northwind.example', 'maya@northwind.example'],
  ['"><script>@northwind.example', null],
  ['+46 70 123 45 67', null],
  [`${'a'.repeat(260)}@northwind.example`, null],
  [undefined, null],
] as const)('the hint %s names the address %s', ([hint, address]) => {
  expect(hintedEmail(hint)).toBe(address);
});

const signedIn = {
  wantsSignUp: false,
  isSignedIn: true,
  needsAccount: false,
  isProven: false,
  needs: null,
};
test.for([
  [{ ...signedIn, prompt: 'sign_in', isSignedIn: false }, 'sign-in'],
  [{ ...signedIn, prompt: 'sign_in', isSignedIn: false, wantsSignUp: true }, 'sign-up'],
  [{ ...signedIn, prompt: 'sign_in' }, 'go-on'],
  [{ ...signedIn, prompt: 'login' }, 'confirm'],
  [{ ...signedIn, prompt: 'login', isProven: true }, 'go-on'],
  [{ ...signedIn, prompt: 'select_account' }, 'account'],
  [{ ...signedIn, prompt: 'select_account', isProven: true }, 'go-on'],
  [{ ...signedIn, prompt: 'create', wantsSignUp: true }, 'account'],
  [{ ...signedIn, prompt: 'outside' }, 'no-entry'],
  [{ ...signedIn, prompt: 'outside', isProven: true }, 'go-on'],
  [{ ...signedIn, prompt: 'organization' }, 'organization'],
  [{ ...signedIn, prompt: 'organization', needsAccount: true }, 'confirm'],
  [{ ...signedIn, prompt: 'consent' }, 'consent'],
  [{ ...signedIn, prompt: 'second_step', needs: 'second-step' }, 'second-step'],
  [{ ...signedIn, prompt: 'second_step', needs: 'company' }, 'company'],
  [{ ...signedIn, prompt: 'second_step' }, 'go-on'],
] as const)('%o waits for the step %s', ([question, step]) => {
  expect(stepOf(question)).toBe(step);
});

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

test.for([
  ['https://books.example/callback', 'books.example'],
  ['https://books.example:8443/callback', 'books.example:8443'],
  ['http://localhost:4000/callback', null],
  ['http://127.0.0.1:51204/', null],
  ['http://[::1]:51204/', null],
  ['https://localhost.example/', 'localhost.example'],
] as const)('an answer to %s goes to %s', ([address, host]) => {
  expect(hostOf(address)).toBe(host);
});
