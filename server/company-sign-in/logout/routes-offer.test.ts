import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { companyWithProvider, visitCompany } from '#server/testing/company-provider.ts';
import { confirmed } from '#server/testing/people.ts';
import { SOCIAL_CLIENT } from '#server/testing/providers.ts';
import { listRows } from '#server/testing/rows.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp(lastingSessions);
const signOut = async (visitor: Visitor) => responseOf(await visitor.delete('/api/logout', {}));
const offerTo = async (visitor: Visitor) =>
  responseOf<{ link: { OrgName: string; url: string } | null }>(await visitor.get('/api/company/signout'))
    .link;

test('the browser of a session that came through the company gets the link to sign out there (U21)', async () => {
  const company = await companyWithProvider(app);
  const { boss, domain, key, provider } = company;
  const ann = app.visitor();
  await visitCompany(app, company, ann, { sub: 'ann', email: `ann@${domain}` });
  expect(await offerTo(ann)).toBe(null);
  expect(await signOut(ann)).toEqual({ at_company: 1 });
  const link = await offerTo(ann);
  const backPath = `/api/auth/company/${key.connection_id}`;
  const [entry] = await listRows(app, 'company_leavings', ['id_token'], { connection_id: key.connection_id });
  const hint = entry?.id_token ?? '';
  expect(decodeJwt(hint)).toMatchObject({ sub: 'ann', aud: SOCIAL_CLIENT.id });
  const query = {
    post_logout_redirect_uri: app.url + backPath,
    id_token_hint: hint,
    client_id: SOCIAL_CLIENT.id,
  };
  expect(link).toEqual({
    OrgName: 'Northwind Traders',
    url: `${provider.url}/session/end?${new URLSearchParams(query).toString()}`,
  });
  const back = await ann.request('GET', backPath);
  expect([back.status, back.headers.get('location')]).toEqual([303, '/login']);

  const eve = app.visitor();
  for (const cookie of ['', String(key.connection_id), `${key.connection_id}.${'x'.repeat(43)}`]) {
    eve.cookies.set('portico-left', cookie);
    expect(await offerTo(eve)).toBe(null);
  }
  const tom = await confirmed(app);
  expect(await signOut(tom.visitor)).toEqual({});
  expect(await offerTo(tom.visitor)).toBe(null);
  responseOf(await boss.visitor.put('/api/orgs/connections/state', { ...key, is_on: 0 }));
  expect(await offerTo(ann)).toBe(null);
  await company.close();
});
