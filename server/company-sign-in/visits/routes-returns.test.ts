import { expect, test } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '#server/clock.ts';
import { attemptsOf, companyWithProvider } from '#server/testing/company-provider.ts';
import { confirmed } from '#server/testing/people.ts';
import { throughProvider } from '#server/testing/providers.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp(lastingSessions);

/** Leaves for the provider and signs in there; the path that leads back. */
async function leave(visitor: Visitor, input: object, path = '/api/company/start') {
  const answer = await visitor.post(path, input);
  return throughProvider(responseOf<{ auth_url: string }>(answer).auth_url, app.url);
}
async function back(visitor: Visitor, path: string) {
  const { status, headers } = await visitor.request('GET', path);
  return [status, headers.get('location')];
}

test('a return serves once, in its own browser and session, and for ten minutes (U11)', async () => {
  const company = await companyWithProvider(app);
  const { provider, urlName, domain } = company;
  provider.person = { sub: 'ann', email: `ann@${domain}` };
  const visitor = app.visitor();
  const path = await leave(visitor, { company: urlName });
  const refused = [400, null];
  expect(await back(app.visitor(), path)).toEqual(refused);
  expect(await back(visitor, path)).toEqual([303, `/${urlName}`]);
  visitor.cookies.delete('portico');
  expect(await back(visitor, path)).toEqual(refused);
  const late = await leave(visitor, { company: urlName });
  app.clock.forward(11 * MINUTE_MS);
  expect(await back(visitor, late)).toEqual(refused);
  await company.close();
});

test('several visits of one browser live side by side, and a person signed in meanwhile is led on', async () => {
  const company = await companyWithProvider(app);
  const { boss, key, provider, urlName, domain } = company;
  provider.person = { sub: 'ann', email: `ann@${domain}` };
  const ann = app.visitor();
  const first = await leave(ann, { company: urlName, redirectpath: '/account/devices' });
  const second = await leave(ann, { company: urlName });
  const late = await leave(ann, { company: urlName });
  expect(await back(ann, second)).toEqual([303, `/${urlName}`]);
  const { session } = ann;
  expect(await back(ann, first)).toEqual([303, '/account/devices']);
  // The second return opens no other session.
  expect(ann.session).toBe(session);
  expect(await back(ann, first)).toEqual([303, `/${urlName}`]);
  provider.person = { ...provider.person, auth_time: Math.floor(app.clock.now().getTime() / SECOND_MS) };
  const proof = await leave(ann, { redirectpath: '/account/devices' }, '/api/company/proof');
  expect(await back(ann, proof)).toEqual([303, '/account/devices']);
  const trial = await leave(boss.visitor, key, '/api/orgs/connections/test');
  const other = await leave(boss.visitor, { company: urlName });
  expect(await back(boss.visitor, trial)).toEqual([303, `/${urlName}/organization/signin`]);
  expect((await back(boss.visitor, other))[0]).toBe(403);
  expect((await attemptsOf(company)).map(({ outcome }) => outcome)).toEqual([
    'linkedElsewhere',
    'tested',
    'proven',
    'linked',
    'signedIn',
    'tested',
  ]);
  app.clock.forward(11 * MINUTE_MS);
  expect(await back(ann, late)).toEqual([303, `/${urlName}`]);
  await company.close();
});

test('a second return leads on to the link that waits', async () => {
  const company = await companyWithProvider(app);
  const { provider, urlName, domain } = company;
  const { email, visitor } = await confirmed(app, `kim@${domain}`);
  provider.person = { sub: 'kim', email };
  const path = await leave(visitor, { company: urlName });
  const waits = await back(visitor, path);
  expect(waits).toEqual([303, expect.stringMatching(/^\/account\/companylink\?visit=/)]);
  expect(await back(visitor, path)).toEqual(waits);
  expect(await back(app.visitor(), path)).toEqual([400, null]);
  await company.close();
});

test('a sign-out leaves a sign-in that waits in another tab alone', async () => {
  const company = await companyWithProvider(app);
  const { provider, urlName, domain } = company;
  provider.person = { sub: 'ann', email: `ann@${domain}` };
  const ann = app.visitor();
  const waiting = await leave(ann, { company: urlName });
  expect(await back(ann, await leave(ann, { company: urlName }))).toEqual([303, `/${urlName}`]);
  expect(responseOf(await ann.delete('/api/logout', {}))).toEqual({ at_company: 1 });
  expect(await back(ann, waiting)).toEqual([303, `/${urlName}`]);
  await company.close();
});

test('an error in the address is marked, and many of them push out no attempt that reached the provider (U11)', async () => {
  const company = await companyWithProvider(app, { hasRole: false });
  const { provider, urlName, domain, key } = company;
  const reached = app.visitor();
  provider.person = { sub: 'ann', email: `ann@${domain}` };
  await back(reached, await leave(reached, { company: urlName }));
  const forged = { error: 'invalid_client', error_description: 'Call +1 555 0100', iss: provider.url };
  for (let count = 0; count < 21; count += 1) {
    const visitor = app.visitor();
    const { auth_url } = responseOf<{ auth_url: string }>(
      await visitor.post('/api/company/start', { company: urlName }),
    );
    const state = new URL(auth_url).searchParams.get('state') ?? '';
    const query = new URLSearchParams({ ...forged, state });
    expect(await back(visitor, `/api/auth/company/${key.connection_id}?${query}`)).toEqual([403, null]);
  }
  const attempts = await attemptsOf(company);
  expect(attempts.filter(({ said_in_address }) => said_in_address === 1)).toHaveLength(20);
  expect(attempts[0]).toMatchObject({ problem: 'invalid_client: Call +1 555 0100', said_in_address: 1 });
  expect(attempts.filter(({ outcome }) => outcome === 'noMember')).toMatchObject([{ said_in_address: 0 }]);
  await company.close();
});
