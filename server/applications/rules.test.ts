import { expect, test } from 'vitest';
import { hintedEmail, proofOf, stepOf } from '#server/applications/rules.ts';

test.for([
  [['passkey', 'password', 'app'], 'password'],
  [['passkey', 'app', 'mail'], 'passkey'],
  [['app'], 'app'],
  [['mail'], 'mail'],
  [[], 'sign-in'],
] as const)('a person who can prove by %o is first asked for %s', ([ways, proof]) => {
  expect(proofOf(ways)).toBe(proof);
});

test.for([
  [' maya@northwind.example', 'maya@northwind.example'],
  ['"><script>@northwind.example', null],
  ['+46 70 123 45 67', null],
  [`${'a'.repeat(260)}@northwind.example`, null],
  [undefined, null],
] as const)('the hint %s names the address %s', ([hint, address]) => {
  expect(hintedEmail(hint)).toBe(address);
});

const signedIn = { wantsSignUp: false, isSignedIn: true, isProven: false, isClosed: false };
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
  [{ ...signedIn, prompt: 'consent' }, 'consent'],
  [{ ...signedIn, prompt: 'second_step', isClosed: true }, 'second-step'],
  [{ ...signedIn, prompt: 'second_step' }, 'go-on'],
] as const)('%o waits for the step %s', ([question, step]) => {
  expect(stepOf(question)).toBe(step);
});
