import { expect, test } from 'vitest';
import { DAY_MS } from '#server/clock.ts';
import { enqueueAlone } from '#server/jobs/enqueue.ts';
import { addPasskey } from '#server/testing/authenticator.ts';
import { companyWithProvider, visitCompany } from '#server/testing/company-provider.ts';
import { acted } from '#server/testing/operator.ts';
import { deactivate, mailedDigest, resetByMail, signIn } from '#server/testing/people.ts';
import { restrict } from '#server/testing/planted.ts';
import { socialEnvironment } from '#server/testing/providers.ts';
import { getRow, insertRow, updateRows } from '#server/testing/rows.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const nowhere = 'http://localhost:9';
const app = useApp({ ...lastingSessions, ...socialEnvironment(nowhere, nowhere) });

const SUBJECT = 'Choose a password for your Portico account';
const links = async (email: string) =>
  (await app.mails(email)).filter(({ subject }) => subject === SUBJECT).length;

async function world() {
  const company = await companyWithProvider(app);
  const { boss, key, orgId, domain } = company;
  /** A colleague whom only the provider lets in. */
  const colleague = async (name: string) => {
    const visitor = app.visitor();
    const email = `${name}@${domain}`;
    await visitCompany(app, company, visitor, { sub: name, email });
    return { visitor, email, id: (await getRow(app, 'users', ['id'], { email })).id as number };
  };
  const switchTo = async (isOn: boolean, id = key.connection_id) =>
    responseOf(
      await boss.visitor.put('/api/orgs/connections/state', {
        ...key,
        connection_id: id,
        is_on: isOn ? 1 : 0,
      }),
    );
  const remove = async () =>
    responseOf(await boss.visitor.delete('/api/orgs/connections', { ...key, issuer: company.provider.url }));
  const removeDomain = async () => {
    const { id } = await getRow(app, 'company_domains', ['id'], { domain });
    responseOf(await boss.visitor.delete('/api/orgs/domains', { org_id: orgId, domain_id: id, domain }));
  };
  /** Puts another tested draft in place of the connection. */
  const replace = async (issuer: string) => {
    const draft = responseOf<{ id: number }>(
      await boss.visitor.post('/api/orgs/connections', { org_id: orgId }),
    );
    const change = { issuer, client_id: 'x', sealed_secret: Buffer.from('x'), tested_at: app.clock.now() };
    await updateRows(app, 'company_connections', { id: draft.id }, change);
    await switchTo(true, draft.id);
  };
  return { ...company, colleague, switchTo, remove, removeDomain, replace };
}
type World = Awaited<ReturnType<typeof world>>;
type Colleague = Awaited<ReturnType<World['colleague']>>;

test('the end of a connection mails a password link to members without another way in, once (U19)', async () => {
  const company = await world();
  const { orgId } = company;
  const now = app.clock.now();
  const ways: Record<string, (person: Colleague) => unknown> = {
    password: ({ email }) => resetByMail(app, email, 'another arch 43'),
    passkey: ({ visitor }) => addPasskey(visitor, app.url),
    google: ({ id }) =>
      insertRow(app, 'social_identities', {
        provider: 'google',
        subject: `g${id}`,
        user_id: id,
        created_at: now,
      }),
    guest: ({ id }) => updateRows(app, 'users', { id }, { email: 'guest@elsewhere.example' }),
    leaver: ({ id }) => updateRows(app, 'memberships', { user_id: id, org_id: orgId }, { status: 3 }),
    deactivated: ({ id }) => deactivate(app, { id }),
    restricted: ({ id }) => restrict(app, { id }),
  };
  const others = [];
  for (const [name, give] of Object.entries(ways)) {
    const person = await company.colleague(name);
    await give(person);
    others.push(name === 'guest' ? 'guest@elsewhere.example' : person.email);
  }
  const ann = await company.colleague('ann');
  await company.switchTo(false);
  const job = await getRow(app, 'jobs', ['kind', 'payload'], { kind: 'company-ended' });
  // A process that died may leave the job to another one.
  for (const _ of [1, 2]) await enqueueAlone(app.deps, job);
  expect(await links(ann.email)).toBe(1);
  for (const email of others) expect([email, await links(email)]).toEqual([email, 0]);
  await company.remove();
  expect(await links(ann.email)).toBe(1);
  // People read it the next morning.
  app.clock.forward(DAY_MS);
  const digest = await mailedDigest(app, ann.email);
  const password = 'another arch 43';
  responseOf(await app.visitor().put('/api/resetpassword', { digest, password, timezone: '' }));
  responseOf(await signIn(app.visitor(), ann.email, password));
  await company.close();
});

test.for<[act: string, mails: number, run: (company: World) => Promise<unknown>]>([
  ['removal of the connection', 1, ({ remove }) => remove()],
  ['removal of the domain', 1, ({ removeDomain }) => removeDomain()],
  ['release of the domain', 1, ({ domain }) => acted(app.deps, 'company release-domain', { domain })],
  ['change to another provider', 1, ({ replace }) => replace(nowhere)],
  ['change to a new client of the same provider', 1, ({ replace, provider }) => replace(provider.url)],
])('%s: %i password links', async ([_, mails, run]) => {
  const company = await world();
  const { email } = await company.colleague('ann');
  await run(company);
  expect(await links(email)).toBe(mails);
  await company.close();
});
