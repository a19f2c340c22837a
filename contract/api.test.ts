import { describe, expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod/mini';
import { api } from './api.ts';
import { type Endpoint, endpoint, type FailureOf, type Input, type Output } from './endpoint.ts';
import { errors } from './errors.ts';
import { summaries } from './summaries.ts';
import { input, shape } from './wire.ts';

const calls = Object.entries(api).flatMap(([feature, group]) =>
  Object.entries<Endpoint>(group).map(([name, call]) => [`${feature}.${name}`, call] as const),
);
const summaryOf: Record<string, string> = Object.fromEntries(
  Object.entries(summaries).flatMap(([feature, group]) =>
    Object.entries(group).map(([name, text]) => [`${feature}.${name}`, text]),
  ),
);
const key = ({ method, path }: Endpoint) => `${method} ${path}`;

/** Every call that the wire names. `signedIn` need a session, `open` do not. server/testing/matrix.ts has all calls. */
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
const inApi = (list: string) => list.split('·').map((call) => call.trim().replace(' ', ' /api'));
const onDrive = ['POST /drive/profile', 'DELETE /drive/profile', 'POST /drive/appicon', 'GET /drive/profile'];
const isOpen = new Set([...inApi(open), 'GET /drive/appicon']);

test.each([...inApi(signedIn), ...onDrive, ...isOpen])(
  '%s of the wire is a call, and is open if the wire says so',
  (named) => {
    const call = calls.find(([, candidate]) => key(candidate) === named)?.[1];
    expect(call?.access === 'public').toBe(isOpen.has(named));
    expect(call).toBeDefined();
  },
);

describe.each(calls)('%s', (name, call) => {
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
