import { expect, test } from 'vitest';
import type { ProviderKind } from '#contract/company-sign-in/connections.ts';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import {
  addressIn,
  isFresh,
  membershipAfter,
  problemOf,
  providerText,
  shownClaims,
  sidIn,
  subjectIn,
} from '#server/company-sign-in/visits/claims.ts';

type Claims = Record<string, unknown>;
const domains = ['acme.example', 'xn--bcher-kva.example'];

test.for<[kind: ProviderKind, claims: Claims, more: Claims | undefined, result: string]>([
  ['other', { email: 'Ann@ACME.example' }, undefined, 'ann@acme.example'],
  ['other', { email: 'ann@bücher.example' }, undefined, 'ann@xn--bcher-kva.example'],
  ['other', {}, undefined, 'noAddress'],
  ['other', { email: 7 }, undefined, 'noAddress'],
  ['other', { email: 'ann@acme.example, eve@evil.example' }, undefined, 'noAddress'],
  ['other', { email: 'ann@acme.example', email_verified: true }, undefined, 'ann@acme.example'],
  ['other', { email: 'ann@acme.example', email_verified: false }, undefined, 'unverified'],
  ['other', { email: 'ann@acme.example', email_verified: 'FALSE' }, undefined, 'unverified'],
  ['other', { email: 'ann@sub.acme.example' }, undefined, 'otherDomain'],
  ['other', { email: 'ann@xacme.example' }, undefined, 'otherDomain'],
  ['other', {}, { email: 'ann@acme.example' }, 'ann@acme.example'],
  // The ID token says nothing about an address of userinfo.
  ['other', { email_verified: true }, { email: 'ann@acme.example', email_verified: false }, 'unverified'],
  ['other', { email_verified: false }, { email: 'ann@acme.example' }, 'ann@acme.example'],
  ['entra', { email: 'ann@acme.example' }, undefined, 'ann@acme.example'],
  ['entra', { email: 'ann@acme.example', xms_edov: false }, undefined, 'unverified'],
  ['entra', { email: 'ann@acme.example', xms_edov: '0' }, undefined, 'unverified'],
  ['entra', { email: 'ann@acme.example', xms_edov: true, acct: 0 }, undefined, 'ann@acme.example'],
  ['entra', { email: 'ann@acme.example', acct: 1 }, undefined, 'guest'],
  [
    'google',
    { email: 'ann@acme.example', email_verified: true, hd: 'acme.example' },
    undefined,
    'ann@acme.example',
  ],
  ['google', { email: 'ann@acme.example', email_verified: true }, undefined, 'otherCompany'],
  ['google', { email: 'ann@acme.example', hd: 'evil.example' }, undefined, 'otherCompany'],
  ['google', { email: 'ann@acme.example', hd: { toString: 1 } }, undefined, 'otherCompany'],
])('%s with %o and %o: %s (U12)', ([kind, signed, more, result]) => {
  const address = addressIn(kind, { signed, more }, domains);
  expect('email' in address ? address.email : address.failed).toBe(result);
});

test.for<[kind: ProviderKind, claims: Claims, subject: string | undefined]>([
  ['other', { sub: 'a', oid: 'b' }, 'a'],
  ['google', { sub: 'a', oid: 'b' }, 'a'],
  ['entra', { sub: 'a', oid: 'b' }, 'b'],
  ['entra', { sub: 'a', email: 'ann@acme.example' }, undefined],
  ['other', { sub: '' }, undefined],
  ['other', { sub: 'a b' }, undefined],
])('%s with %o is the subject %s', ([kind, signed, subject]) => {
  expect(subjectIn(kind, { signed })).toBe(subject);
});

const { invited, active, inactive, disabled } = MEMBER_STATUS;
test.for<[status: 1 | 2 | 3 | 4 | undefined, hasRole: boolean, after: string]>([
  [active, false, 'stays'],
  [invited, false, 'accepts'],
  [inactive, true, 'inactive'],
  [disabled, true, 'inactive'],
  [undefined, true, 'joins'],
  [undefined, false, 'noMember'],
])('a membership %s, with a role %s: %s', ([status, hasRole, after]) => {
  expect(membershipAfter(status && { status }, hasRole)).toBe(after);
});

test.for<[error: object, failed: string, problem: string]>([
  [
    { error: 'invalid_client', error_description: 'AADSTS7000222: expired' },
    'wrongSecret',
    'invalid_client: AADSTS7000222: expired',
  ],
  [{ error: 'invalid_grant' }, 'refusedByProvider', 'invalid_grant'],
  [Object.assign(new Error('fetch failed'), { cause: { code: 'ECONNREFUSED' } }), 'noAnswer', 'ECONNREFUSED'],
  [
    Object.assign(new Error('x'), { cause: { code: 'ADDRESS_NOT_PUBLIC' } }),
    'noAnswer',
    'ADDRESS_NOT_PUBLIC',
  ],
  [
    Object.assign(new Error('operation timed out'), {
      code: 'OAUTH_TIMEOUT',
      cause: new DOMException('late', 'TimeoutError'),
    }),
    'noAnswer',
    'operation timed out',
  ],
  [
    Object.assign(new Error('unexpected "iss"'), { code: 'OAUTH_JWT_CLAIM_COMPARISON_FAILED' }),
    'wrongAnswer',
    'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  ],
  [
    { error: 'x\n<script>', error_description: 'y'.repeat(400) },
    'refusedByProvider',
    `x <script>: ${'y'.repeat(300)}`,
  ],
])('%o is %s', ([error, failed, problem]) => {
  expect(problemOf(error)).toEqual({ outcome: failed, problem });
});

test.for<[sid: unknown, stored: string | null]>([
  ['a-1', 'a-1'],
  ['a\0b', null],
  [7, null],
  ['x'.repeat(256), null],
])('the session %j of the provider is stored as %s', ([sid, stored]) => {
  expect(sidIn({ sid })).toBe(stored);
});

test.for<[time: unknown, isFresh: boolean]>([
  [1000, true],
  [970, true],
  [969, false],
  [1630, true],
  [1631, false],
  ['1000', false],
  [undefined, false],
])('a sign-in at %j is one of the visit: %s', ([time, expected]) => {
  const visit = { start: new Date(1_000_900), end: new Date(1_600_900) };
  expect(isFresh({ auth_time: time }, visit)).toBe(expected);
});

test('a provider’s words are cut between characters', () => {
  expect(providerText('🙂'.repeat(400)).isWellFormed()).toBe(true);
});

test('a test shows only claims that help', () => {
  expect(
    shownClaims({ signed: { sub: 'a', email_verified: true, secret: 'x' }, more: { email: 'b' } }),
  ).toEqual([
    { name: 'email', value: 'b' },
    { name: 'sub', value: 'a' },
    { name: 'email_verified', value: 'true' },
  ]);
});
