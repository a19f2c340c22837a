import { describe, expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod/mini';
import { api } from '#contract/api.ts';
import { type Endpoint, endpoint, type FailureOf, type Input, type Output } from '#contract/endpoint.ts';
import { errors } from '#contract/errors.ts';
import { summaries } from '#contract/summaries.ts';
import { input, shape } from '#contract/wire.ts';

const calls = Object.entries(api).flatMap(([feature, group]) =>
  Object.entries<Endpoint>(group).map(([name, call]) => [`${feature}.${name}`, call] as const),
);
const summaryOf: Record<string, string> = Object.fromEntries(
  Object.entries(summaries).flatMap(([feature, group]) =>
    Object.entries(group).map(([name, text]) => [`${feature}.${name}`, text]),
  ),
);
const key = ({ method, path }: Endpoint) => `${method} ${path}`;

/** Every call that the wire names. `signedIn` need a session, `open` do not. */
const signedIn = `
  GET /init · GET /orgs · POST /orgs · PUT /orgs · POST /orgs/leave · GET /user · PUT /user · PUT /changepassword ·
  GET /settings · GET /emailnotify · PUT /emailnotify · GET /usersession · DELETE /usersession · DELETE /deleteaccount ·
  GET /orgusers · POST /orgusers · PUT /orgusers · DELETE /orgusers · POST /orgusers/resend · GET /role · POST /role ·
  PUT /role · DELETE /role · GET /auditlogs · GET /auditlogs/export · GET /orgsetting · POST /clientOrgIcon ·
  DELETE /logout · POST /activesession · GET /mfa · PUT /mfa · POST /reauthenticate · POST /reauthenticate/code ·
  GET /invitations · POST /invitation · GET /notifications · PUT /notifications`;
const open = `
  GET /ustat · POST /signin · POST /otp · POST /verifyotp · POST /signup · POST /forgotpassword · PUT /resetpassword ·
  POST /resetpassword · GET /auth · POST /verifyemail · POST /verifyemail/resend · GET /invitation ·
  POST /restoreaccount · POST /restoreaccount/resend`;
/**
 * Our own calls beyond the wire: links in security mails, redeeming for applications, and extras of My
 * Profile.
 */
const ours = [
  'POST /api/notme',
  'POST /api/redeem',
  'POST /api/restoreemail',
  'GET /api/authorization',
  'GET /drive/picture',
  'POST /api/signin/passkey/options',
  'POST /api/signin/passkey',
  'POST /api/signin/app',
  'POST /api/signin/recovery',
  'GET /drive/applicationicon',
];
const oursSignedIn = [
  'POST /api/redirect',
  'POST /drive/applicationicon',
  'POST /api/pendingemail/resend',
  'DELETE /api/pendingemail',
  'GET /api/auth/linked',
  'DELETE /api/auth/linked',
  'GET /api/deleteaccount',
  'POST /api/authorization',
  'GET /api/authorization/signout',
  'POST /api/authorization/signout',
  'GET /api/applications/connected',
  'DELETE /api/applications/connected',
  'GET /api/applications',
  'POST /api/applications',
  'PUT /api/applications',
  'DELETE /api/applications',
  'POST /api/applications/secret',
  'PUT /api/applications/state',
  'GET /api/dataexport',
  'POST /api/dataexport',
  'GET /api/dataexport/file',
  'GET /api/webhooks',
  'POST /api/webhooks',
  'PUT /api/webhooks',
  'DELETE /api/webhooks',
  'POST /api/webhooks/secret',
  'PUT /api/webhooks/state',
  'GET /api/webhooks/deliveries',
  'POST /api/webhooks/test',
  'POST /api/webhooks/deliveries',
  'GET /api/orgs/secondstep',
  'PUT /api/orgs/secondstep',
  'GET /api/passkeys',
  'POST /api/passkeys/options',
  'POST /api/passkeys',
  'PUT /api/passkeys',
  'DELETE /api/passkeys',
  'GET /api/passkeys/locks',
  'GET /api/passkeys/offer',
  'DELETE /api/passkeys/offer',
  'GET /api/authenticator',
  'POST /api/authenticator/setup',
  'POST /api/authenticator',
  'DELETE /api/authenticator',
  'GET /api/recoverycodes',
  'POST /api/recoverycodes',
  'GET /api/rememberedbrowsers',
  'DELETE /api/rememberedbrowsers',
  'GET /api/reauthenticate',
  'POST /api/reauthenticate/passkey',
];
const inApi = (list: string) => list.split('·').map((call) => call.trim().replace(' ', ' /api'));
const onDrive = ['POST /drive/profile', 'DELETE /drive/profile', 'POST /drive/appicon', 'GET /drive/profile'];
const specified = new Set([
  ...inApi(signedIn),
  ...inApi(open),
  ...ours,
  ...oursSignedIn,
  ...onDrive,
  'GET /drive/appicon',
]);
const isOpen = new Set([...inApi(open), ...ours, 'GET /drive/appicon']);
const isNext = ({ path }: Endpoint) =>
  path.startsWith('/api/next/') || path.startsWith('/api/auth/callback/');

describe.each(calls)('%s', (name, call) => {
  test('is a known call', () => expect(specified.has(key(call)) || isNext(call)).toBe(true));

  test('needs a session unless the wire opens it', () => {
    expect(call.access !== 'public' || isOpen.has(key(call)) || isNext(call)).toBe(true);
  });

  test('has a path under /api or /drive, without a slash at the end', () => {
    expect(call.path).toMatch(/^\/(api|drive)(\/:?[A-Za-z]+)+$/);
  });

  test('has a one-line summary', () => expect(summaryOf[name]).toMatch(/^[A-Z][^\n]{8,}[^.\n]$/));

  test('declares refusals of the catalogue, each once', () => {
    expect(call.failures.filter((name) => !(name in errors))).toEqual([]);
    expect(new Set(call.failures).size).toBe(call.failures.length);
  });

  test('does not declare the refusals that every call shares', () => {
    const shared = new Set([
      'malformed_request',
      'invalid_input',
      'not_signed_in',
      'cross_site_request',
      'internal_error',
    ]);
    expect(call.failures.filter((name) => shared.has(name))).toEqual([]);
  });

  test('can refuse an organization when its input names one', () => {
    const takesOrganization = 'org_id' in (schemaOf(call).properties ?? {});
    // Public calls do not prove the organization.
    const proves = takesOrganization && call.access !== 'public';
    expect(!proves || call.failures.includes('org_not_found')).toBe(true);
  });

  test('refuses unknown keys', () => {
    const issues = z.safeDecode(call.input, { surprise: 1 }).error?.issues ?? [];
    expect(issues.map(({ code }) => code)).toContain('unrecognized_keys');
  });
});

type Schema = { properties?: Record<string, Schema>; type?: string; enum?: unknown[]; const?: unknown };
const schemaOf = (call: Endpoint) =>
  z.toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' }) as Schema;

test.each(calls.filter(([, { method }]) => method === 'GET'))(
  '%s: a query can express the whole input',
  (_, call) => {
    const types = Object.values(schemaOf(call).properties ?? {}).map(({ type }) => type);
    expect(types.filter((type) => type !== 'string')).toEqual([]);
  },
);

test('a method and path belong to one call', () => {
  const keys = calls.map(([, call]) => key(call));
  expect(keys.filter((callKey, at) => keys.indexOf(callKey) !== at)).toEqual([]);
});

test('an endpoint’s types come from its description', () => {
  const call = endpoint({
    method: 'POST',
    path: '/api/things',
    access: 'session',
    input: input({ firstName: z.string(), count: z.optional(z.int()) }),
    output: shape({ isOpen: z.boolean() }),
    failures: ['no_changes', 'not_allowed'],
  });
  expectTypeOf<Input<typeof call>>().toExtend<{ firstName: string; count?: number | undefined }>();
  expectTypeOf<Output<typeof call>>().toExtend<{ isOpen: boolean }>();
  expectTypeOf<FailureOf<typeof call>>().toEqualTypeOf<'no_changes' | 'not_allowed'>();
  expectTypeOf(call.path).toEqualTypeOf<'/api/things'>();
  expectTypeOf(call.access).toEqualTypeOf<'session'>();
  expect(call.failures).toEqual(['no_changes', 'not_allowed']);
});

test('an endpoint without input or failures takes nothing and declares no refusals', () => {
  const call = endpoint({
    method: 'GET',
    path: '/api/x',
    access: 'public',
    output: z.object({}),
  });
  expectTypeOf<FailureOf<typeof call>>().toEqualTypeOf<never>();
  expect(call.failures).toEqual([]);
  expect(z.decode(call.input, {})).toEqual({});
  expect(z.safeDecode(call.input, { a: 1 }).success).toBe(false);
});
