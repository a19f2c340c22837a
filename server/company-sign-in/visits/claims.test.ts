import { expect, test } from 'vitest';
import type { ProviderKind } from '#contract/company-sign-in/connections.ts';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import {
  addressIn,
  isFresh,
  membershipAfter,
  problemOf,
  providerText,
  refusalOf,
  shownClaims,
  sidIn,
  subjectIn,
} from './claims.ts';
import { ProviderFault } from '#server/social/provider/faults.ts';

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
  expect(address.failed ?? address.email).toBe(result);
});

test.for<[kind: ProviderKind, claims: Claims, subject: string | undefined]>([
  ['other', { sub: 'a', oid: 'b' }, 'a'],
  ['google', { sub: 'a', oid: 'b' }, 'a'],
  ['entra', { sub: 'a', oid: 'b' }, 'b'],
  ['entra', { sub: 'a', email: 'ann@acme.example' }, undefined],
  ['other', { sub: '' }, undefined],
  ['other', { sub: 'CN=Ann Lee,OU=Staff' }, 'CN=Ann Lee,OU=Staff'],
  ['other', { sub: ' a' }, undefined],
  ['other', { sub: 'a ' }, undefined],
  ['other', { sub: 'a\tb' }, undefined],
  ['other', { sub: 'Jörg' }, undefined],
  ['other', { sub: 'x'.repeat(255) }, 'x'.repeat(255)],
  ['other', { sub: 'x'.repeat(256) }, undefined],
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

test.for<[error: string, description: string | null, failed: string]>([
  ['access_denied', null, 'cancelled'],
  ['access_denied', 'User is not assigned to the client application.', 'notLetIn'],
  ['invalid_request', 'AADSTS50105: The signed in user is not assigned to a role.', 'notLetIn'],
  ['server_error', null, 'noAnswer'],
  ['temporarily_unavailable', 'later', 'noAnswer'],
  ['login_required', null, 'refusedByProvider'],
])('a return with %s: %s is %s', ([error, description, failed]) => {
  expect(refusalOf(error, description).outcome).toBe(failed);
});

const fault = (code: string, cause?: object) => Object.assign(new Error('x', { cause }), { code });
const refusedClient = (...answers: object[]) => new ProviderFault('CLIENT_REFUSED', '', { cause: answers });
test.for<[error: object, failed: string, problem: string]>([
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
    fault('OAUTH_JWT_CLAIM_COMPARISON_FAILED', { claim: 'aud' }),
    'wrongAnswer',
    'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  ],
  [
    fault('OAUTH_JWT_CLAIM_COMPARISON_FAILED', { claim: 'iss', claims: { iss: 'https://other.example' } }),
    'otherIssuer',
    'https://other.example',
  ],
  [new ProviderFault('OTHER_ISSUER', 'https://other.example/'), 'otherIssuer', 'https://other.example/'],
  [new ProviderFault('NO_DOCUMENT'), 'noDocument', ''],
  [new ProviderFault('NO_SECRET_WAY', 'private_key_jwt'), 'wrongSecretWay', 'private_key_jwt'],
  [
    refusedClient({ error: 'invalid_client', error_description: 'wrong secret' }),
    'wrongSecret',
    'invalid_client: wrong secret',
  ],
  [
    refusedClient(
      { error: 'invalid_client' },
      { error: 'unauthorized_client', error_description: 'only post' },
    ),
    'wrongSecret',
    'invalid_client / unauthorized_client: only post',
  ],
  [refusedClient({ cause: new Response(null, { status: 401 }) }), 'wrongSecret', 'HTTP 401'],
  [fault('OAUTH_RESPONSE_IS_NOT_CONFORM', new Response(null, { status: 503 })), 'noAnswer', 'HTTP 503'],
  [fault('OAUTH_RESPONSE_IS_NOT_CONFORM', new Response(null, { status: 429 })), 'noAnswer', 'HTTP 429'],
  [
    fault('OAUTH_RESPONSE_IS_NOT_CONFORM', new Response(null, { status: 204 })),
    'wrongAnswer',
    'OAUTH_RESPONSE_IS_NOT_CONFORM',
  ],
  [{ error: 'temporarily_unavailable' }, 'noAnswer', 'temporarily_unavailable'],
  [fault('OAUTH_INVALID_RESPONSE', { header: { alg: 'PS256' } }), 'wrongAlgorithm', ''],
  [fault('OAUTH_UNSUPPORTED_OPERATION'), 'wrongAlgorithm', ''],
  [fault('OAUTH_JWT_TIMESTAMP_CHECK_FAILED'), 'wrongClock', ''],
  [fault('ERR_JWKS_NO_MATCHING_KEY'), 'wrongKey', ''],
  [fault('ERR_JWS_SIGNATURE_VERIFICATION_FAILED'), 'wrongKey', ''],
  [fault('OAUTH_PARSE_ERROR', fault('ANSWER_TOO_LARGE')), 'tooLarge', ''],
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
