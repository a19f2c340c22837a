import { expect, onTestFinished, test } from 'vitest';
import { attemptsOf, companyWithProvider } from '#server/testing/company-provider.ts';
import { type ProviderBrowser, startGlewlwyd } from '#server/testing/glewlwyd.ts';
import { SOCIAL_CLIENT } from '#server/testing/providers.ts';
import { listRows } from '#server/testing/rows.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp(lastingSessions);
const who = async (visitor: Visitor) =>
  responseOf<{ email: string } | null>(await visitor.get('/api/ustat'))?.email;

/** A company with Glewlwyd as its provider, whose connection is not tested yet. */
async function world() {
  // Glewlwyd has the real time, and a sign-out is valid for two minutes.
  app.clock.forward(Date.now() - app.clock.now().getTime());
  const company = await companyWithProvider(app, { isOn: false });
  onTestFinished(() => company.close());
  const { boss, key, urlName } = company;
  const [connection] = responseOf<{ redirect_url: string }[]>(
    await boss.visitor.get(`/api/orgs/connections?org_id=${key.org_id}`),
  );
  const logoutUrl = `${app.url}/api/auth/company/${key.connection_id}/logout`;
  const glewlwyd = await startGlewlwyd(connection?.redirect_url ?? '', logoutUrl);
  onTestFinished(() => glewlwyd.close());
  responseOf(
    await company.save({
      issuer: glewlwyd.issuer,
      client_id: SOCIAL_CLIENT.id,
      secret: SOCIAL_CLIENT.secret,
    }),
  );
  const goThrough = async (visitor: Visitor, browser: ProviderBrowser, call: string, input: object) => {
    const started = responseOf<{ auth_url: string }>(await visitor.post(call, input));
    const authorize = new URL(started.auth_url);
    // Its sign-in page adds this when the person goes on.
    authorize.searchParams.set('g_continue', '');
    const answer = await browser.request('GET', authorize.href);
    const back = new URL(answer.headers.get('location') ?? '', authorize);
    const response = await visitor.request('GET', back.pathname + back.search);
    return response.headers.get('location') ?? response.status;
  };
  return {
    ...company,
    glewlwyd,
    tryOut: (browser: ProviderBrowser) => goThrough(boss.visitor, browser, '/api/orgs/connections/test', key),
    visit: (visitor: Visitor, browser: ProviderBrowser) =>
      goThrough(visitor, browser, '/api/company/start', { company: urlName }),
  };
}

test('people come in through a provider that nobody here wrote, and leave by its sign-out', async () => {
  const { boss, key, domain, urlName, glewlwyd, tryOut, visit, save, ...company } = await world();
  const tester = await glewlwyd.person('tester', `tester@${domain}`);
  await tryOut(tester);
  responseOf(await boss.visitor.put('/api/orgs/connections/state', { ...key, is_on: 1 }));
  const ann = await glewlwyd.person('ann', `Ann@${domain}`);
  const visitor = app.visitor();
  expect(await visit(visitor, ann)).toBe(`/${urlName}`);
  expect(await who(visitor)).toBe(`ann@${domain}`);

  const guest = await glewlwyd.person('guest', 'guest@elsewhere.example');
  expect(await visit(app.visitor(), guest)).toBe(403);
  responseOf(await save({ secret: 'a secret of another client' }));
  expect(await visit(app.visitor(), ann)).toBe(403);
  const attempts = await attemptsOf({ boss, orgId: company.orgId });
  expect(attempts.map(({ outcome }) => outcome)).toEqual([
    'wrongSecret',
    'otherDomain',
    'signedIn',
    'tested',
  ]);

  const [entry] = await listRows(app, 'company_entries', ['sid'], {
    connection_id: key.connection_id,
  });
  await ann.request('DELETE', `/api/oidc/session/${entry?.sid}/`);
  await expect.poll(() => who(visitor)).toBeUndefined();
});
