import { expect, test } from 'vitest';
import { founder, mailedDigest, newEmail, PASSWORD, type Person, rolesOf } from '#server/testing/people.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

// People see domains in Unicode; applications get addresses as stored.

const SECRET = 's'.repeat(24);
const app = useApp({
  SIGN_URL: 'https://sign.example',
  REDIRECT_SECRETS: `https://sign.example=${SECRET}`,
});

/** One address as people see it, and as it is stored. */
const address = (name: string) => {
  const [local = ''] = newEmail(name).split('@');
  return { seen: `${local}@bücher.example`, stored: `${local}@xn--bcher-kva.example` };
};

/** A person who has confirmed this address. */
async function person({ seen, stored }: ReturnType<typeof address>): Promise<Person> {
  const visitor = app.visitor();
  const body = { emailId: seen, password: PASSWORD, timezone: 'Europe/Stockholm' };
  const { id } = responseOf<{ id: number }>(await visitor.post('/api/signup', body));
  responseOf(await visitor.post('/api/verifyemail', { digest: await mailedDigest(app, stored) }));
  return { visitor, email: seen, id };
}

test("a person's own address is shown in Unicode, also where it replaces their name", async () => {
  const { seen, stored } = address('own');
  const { visitor } = await person({ seen, stored });
  expect(responseOf(await visitor.get('/api/ustat'))).toMatchObject({ email: seen, full_name: seen });
  expect(responseOf(await visitor.get('/api/user'))).toMatchObject({ email: seen, full_name: seen });
  expect(responseOf(await visitor.get('/api/init'))).toMatchObject({ user_information: { email: seen } });
  const log = await visitor.get('/api/auditlogs');
  expect(JSON.stringify(log.body)).toContain('@bücher.example');
  expect(JSON.stringify(log.body)).not.toContain('xn--');
  // The shown and the stored form are the same address, so the second save changes nothing.
  for (const email of [seen, stored])
    expect((await visitor.put('/api/user', { email, contact_number: '+46 70 123' })).code ?? 'saved').toBe(
      email === seen ? 'saved' : 'no_changes',
    );
});

test("a colleague's address and their invitation are shown in Unicode", async () => {
  const boss = await founder(app);
  const { seen, stored } = address('tom');
  const invited = responseOf<{ email: string }>(
    await boss.visitor.post('/api/orgusers', {
      org_id: boss.orgId,
      role_id: (await rolesOf(boss))['Admin'],
      first_name: 'Tom',
      email_id: seen,
    }),
  );
  expect(invited.email).toBe(seen);
  const list = `/api/orgusers?org_id=${boss.orgId}&search=${encodeURIComponent(seen)}`;
  expect(responseOf(await boss.visitor.get(list))).toMatchObject({ members: [{ email: seen }] });
  const log = await boss.visitor.get(`/api/auditlogs?org_id=${boss.orgId}`);
  expect(JSON.stringify(log.body)).toContain(seen);
  const digest = await mailedDigest(app, stored);
  expect(responseOf(await app.visitor().get(`/api/invitation?digest=${digest}`))).toMatchObject({
    email: 't•••@bücher.example',
  });
});

test("an application's server gets the address as stored", async () => {
  const { seen, stored } = address('app');
  const { visitor } = await person({ seen, stored });
  const redirect_url = 'https://sign.example/doc';
  const { url } = responseOf<{ url: string }>(await visitor.post('/api/redirect', { redirect_url }));
  const code = new URL(url).searchParams.get('code');
  const answer = await app.visitor().post('/api/redeem', { code, redirect_url, secret: SECRET });
  expect(responseOf(answer)).toMatchObject({ user: { email: stored, full_name: stored } });
});
