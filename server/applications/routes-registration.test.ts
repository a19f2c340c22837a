import fc from 'fast-check';
import * as client from 'openid-client';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { addressProblems, APPLICATION_KINDS, exactAddress } from '#contract/applications/registration.ts';
import { ANY_ORGANIZATION, hasSecret, suiteApplication } from '#contract/applications/suite.ts';
import { metadataOf } from './clients.ts';
import { suiteRow } from '#server/operator/data-applications.ts';
import { currentProvider } from './provider.ts';
import {
  authorize,
  CALLBACK,
  discover,
  enter,
  redeem,
  registerApplication,
  sendForm,
} from '#server/testing/applications.ts';
import { company } from '#server/testing/company.ts';
import { confirmed } from '#server/testing/people.ts';
import { deleteRows } from '#server/testing/rows.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp({ RATE_LIMIT_FACTOR: '100' });
const LOCAL = 'http://localhost:8080/callback';

const accepts = (field: z.core.$ZodType) => (value: unknown) => z.safeParse(field, value).success;
const address = fc
  .oneof(
    fc.stringMatching(
      /^https:\/\/([A-Za-z0-9.-]{1,20}|\[[0-9a-f:.]{2,20}\])(:[0-9]{1,5})?(\/[a-z%?.]{0,9})?$/,
    ),
    fc.stringMatching(
      /^https?:\/\/(localhost|127\.(0\.0\.)?1|2130706433|\[::1\])(:[0-9]{1,5})?(\/[a-z]{0,3})?$/,
    ),
  )
  .filter(accepts(exactAddress));
const addresses = fc.uniqueArray(address, { maxLength: 3 });
const optional = fc.oneof(fc.constant(''), address);
const member = fc.oneof({ weight: 9, arbitrary: fc.constantFrom('AQAB', 'P-256') }, fc.constantFrom('', 7));
const key = fc.record(
  {
    kty: fc.constantFrom('RSA', 'EC', 'OKP', 'oct', 'AKP'),
    x5c: fc.constantFrom([], ['a'], [1], 'a'),
    ...Object.fromEntries(
      ['n', 'e', 'crv', 'x', 'y', 'k', 'd', 'qi', 'kid', 'alg', 'use'].map((name) => [name, member]),
    ),
  },
  { requiredKeys: ['kty'] },
);
const { publicKeys } = suiteApplication.shape;
const settings = fc.record({
  name: fc.string({ minLength: 1 }),
  description: fc.string(),
  kind: fc.constantFrom(...APPLICATION_KINDS),
  isFirstParty: fc.boolean(),
  startUrl: optional,
  redirectUrls: addresses,
  signedOutUrls: addresses,
  signOutUrl: optional,
  algorithm: fc.constantFrom('ES256', 'RS256'),
  publicKeys: fc.option(fc.record({ keys: fc.array(key, { maxLength: 2 }) })).filter(accepts(publicKeys)),
  apis: addresses,
  requiresPar: fc.boolean(),
  requiresDpop: fc.boolean(),
  requiresPkce: fc.boolean(),
  membersOf: fc.constantFrom(null, ANY_ORGANIZATION),
});
const secrets = [{ hash: 'ab'.repeat(32), endsAt: null }];
/** The error of the provider for an application with these columns; undefined if it loads. */
async function problemOf(columns: ReturnType<typeof suiteRow>, orgId: number | null) {
  const { Client } = (await currentProvider(app.deps)) as unknown as {
    readonly Client: { readonly validate: (metadata: object) => Promise<void> };
  };
  const isSecret = hasSecret({ kind: columns.kind, publicKeys: columns.public_keys });
  const row = { id: 1, client_id: 'app-1', org_id: orgId, ...columns, secrets: isSecret ? secrets : [] };
  const metadata = metadataOf(row as unknown as Parameters<typeof metadataOf>[0], app.clock.now());
  return Client.validate(metadata).then(
    () => undefined,
    (error: Error) => error.message,
  );
}

test('an organization’s application may have redirect addresses on several hosts, and people keep their subject', async () => {
  const org = await company(app);
  const { visitor } = await org.join('sales');
  const own = await registerApplication(app, { org_id: org.orgId, is_first_party: false });
  const config = await discover(app, own);
  const subjectOf = async (redirectUrl: string) => {
    const tokens = await enter(visitor, config, { redirect_uri: redirectUrl, scope: 'openid' });
    await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    const { sub = '' } = tokens.claims() ?? {};
    await client.fetchUserInfo(config, tokens.access_token, sub);
    return sub;
  };
  const subject = await subjectOf(CALLBACK);
  const boss = await org.join('superAdmin');
  const change = { org_id: org.orgId, application_id: own.id, redirect_urls: [CALLBACK, LOCAL] };
  responseOf(await boss.visitor.put('/api/applications', change));
  expect([await subjectOf(CALLBACK), await subjectOf(LOCAL)]).toEqual([subject, subject]);
});

test('a web application without a live secret gets no tokens (P9)', async () => {
  const { id, ...sender } = await registerApplication(app);
  const { visitor } = await confirmed(app);
  const { location, verifier } = await authorize(visitor, await discover(app, sender));
  await deleteRows(app, 'application_secrets', { application_id: id });
  const code = new URL(location).searchParams.get('code') ?? '';
  const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier };
  const unproven = await sendForm(app, '/oidc/token', { ...form, client_id: sender.clientId });
  const answers = [
    await unproven.json(),
    await redeem(app, { ...sender, secret: 'missing' }, code, verifier),
  ];
  expect(answers).toMatchObject([{ error: 'invalid_client' }, { error: 'invalid_client' }]);
});

test('the provider loads every application that the operator or an organization can register', async () => {
  const accepted = { suite: 0, own: 0 };
  await fc.assert(
    fc.asyncProperty(settings, async (input) => {
      const columns = suiteRow(input);
      const isOfSuite = accepts(suiteApplication)(input);
      const isOwn = Object.keys(addressProblems(input)).length === 0;
      accepted.suite += Number(isOfSuite);
      accepted.own += Number(isOwn);
      const own = { ...columns, is_first_party: false, public_keys: null };
      expect([
        isOfSuite && (await problemOf(columns, null)),
        isOwn && (await problemOf(own, 1)),
      ]).not.toContainEqual(expect.any(String));
    }),
  );
  expect(Math.min(accepted.suite, accepted.own)).toBeGreaterThan(10);
});
