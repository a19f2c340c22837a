import { expect, onTestFinished, test } from 'vitest';
import { registerApplication } from '#server/testing/applications.ts';
import { attemptsOf, companyWithProvider } from '#server/testing/company-provider.ts';
import { confirmed } from '#server/testing/people.ts';
import { lastingSessions, startApp } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp(lastingSessions);

test('another Portico is a provider: a test, a colleague, and the names and address that it knows', async () => {
  const other = await startApp();
  onTestFinished(() => other.close());
  // Tokens carry the time of their portal, and the library compares it with its own.
  for (const { clock } of [app, other]) clock.forward(Date.now() - clock.now().getTime());
  const { boss, key, domain, urlName, ...company } = await companyWithProvider(app, { isOn: false });
  onTestFinished(() => company.close());
  const [connection] = responseOf<{ redirect_url: string }[]>(
    await boss.visitor.get(`/api/orgs/connections?org_id=${key.org_id}`),
  );
  const { clientId, secret } = await registerApplication(other, {
    redirect_urls: [connection?.redirect_url ?? ''],
  });
  responseOf(await company.save({ issuer: other.url, client_id: clientId, secret }));
  const ann = await confirmed(other, `ann@${domain}`);
  const goThrough = async (visitor: Visitor, call: string, input: object) => {
    const { auth_url } = responseOf<{ auth_url: string }>(await visitor.post(call, input));
    const { pathname, search } = new URL(auth_url);
    const { headers } = await ann.visitor.request('GET', pathname + search);
    const back = new URL(headers.get('location') ?? '', other.url);
    const response = await visitor.request('GET', back.pathname + back.search);
    return response.headers.get('location') ?? response.status;
  };
  await goThrough(boss.visitor, '/api/orgs/connections/test', key);
  responseOf(await boss.visitor.put('/api/orgs/connections/state', { ...key, is_on: 1 }));
  const visitor = app.visitor();
  expect(await goThrough(visitor, '/api/company/start', { company: urlName })).toBe(`/${urlName}`);
  const me = responseOf<{ email: string; full_name: string }>(await visitor.get('/api/ustat'));
  const there = responseOf<{ full_name: string }>(await ann.visitor.get('/api/ustat'));
  expect(me).toMatchObject({ email: ann.email, full_name: there.full_name });
  const outcomes = (await attemptsOf({ boss, orgId: company.orgId })).map(({ outcome }) => outcome);
  expect(outcomes).toEqual(['signedIn', 'tested']);
});
