import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import { companyVisitText } from '#words/company-visit.ts';
import { attemptsOf, companyWithProvider, visitCompany } from '#server/testing/company-provider.ts';
import { confirmed, idOf, PASSWORD, resetByMail, signIn } from '#server/testing/people.ts';
import { updateRows } from '#server/testing/rows.ts';
import { join } from '#server/testing/staff.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp(lastingSessions);
const isIn = async (visitor: Visitor) => responseOf(await visitor.get('/api/ustat')) !== null;

/** A company with a provider and a directory, whose calls go out as `scim`. */
async function world() {
  const company = await companyWithProvider(app);
  const { boss, orgId, roleId } = company;
  const answer = await boss.visitor.post('/api/orgs/directory', { org_id: orgId, role_id: roleId });
  const { id, token } = responseOf<{ id: number; token: string }>(answer);
  const revoke = () => boss.visitor.delete('/api/orgs/directory', { org_id: orgId, token_id: id });
  const scim = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${app.url}/api/scim/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json().catch(() => ({}))) as { id: string } };
  };
  const add = async (userName: string) =>
    scim('POST', '/Users', {
      userName,
      externalId: randomBytes(4).toString('hex'),
      active: true,
      emails: [{ value: userName, primary: true }],
    });
  const deactivate = (id: string) =>
    scim('PATCH', `/Users/${id}`, { Operations: [{ op: 'Replace', path: 'active', value: 'False' }] });
  return { ...company, add, deactivate, revoke };
}

test('once its directory has called, a visit accepts its invitation and adds nobody else', async () => {
  const company = await world();
  const { domain, add } = company;
  // A token that nobody uses ends nothing.
  const early = app.visitor();
  expect((await visitCompany(app, company, early, { sub: 'early', email: `early@${domain}` })).status).toBe(
    303,
  );
  expect((await add(`ann@${domain}`)).status).toBe(201);
  const stranger = app.visitor();
  expect((await visitCompany(app, company, stranger, { sub: 'x', email: `x@${domain}` })).status).toBe(403);
  expect((await attemptsOf(company))[0]).toMatchObject({ outcome: 'notInDirectory' });
  const ann = app.visitor();
  expect((await visitCompany(app, company, ann, { sub: 'ann', email: `ann@${domain}` })).status).toBe(303);
  expect(await isIn(ann)).toBe(true);
  await company.close();
});

test('deactivation by the directory ends sessions through the company at once, and keeps the person out (U8)', async () => {
  const company = await world();
  const { domain, orgId, roleId, add, deactivate, revoke } = company;
  const { body } = await add(`ann@${domain}`);
  const claims = { sub: 'ann', email: `ann@${domain}` };
  const ann = app.visitor();
  await visitCompany(app, company, ann, claims);
  expect((await deactivate(body.id)).status).toBe(200);
  expect(await isIn(ann)).toBe(false);
  // She is sent to the directory, because no admin can lift its word.
  const again = () => visitCompany(app, company, app.visitor(), claims);
  expect(await again()).toMatchObject({
    status: 403,
    html: expect.stringContaining(companyVisitText.failures.inactiveInDirectory),
  });
  expect((await attemptsOf(company))[0]).toMatchObject({ outcome: 'inactiveInDirectory' });
  // A guest keeps sessions of their own.
  const guest = await confirmed(app);
  await join(app, guest, orgId, roleId);
  expect(await isIn(guest.visitor)).toBe(true);
  // So is her own session; without an organization it shows why.
  const closed = async () => {
    const { closed_organizations: all } = responseOf<{ closed_organizations: { by_directory: 0 | 1 }[] }>(
      await own.get('/api/init'),
    );
    return all.map(({ by_directory }) => by_directory);
  };
  const own = app.visitor();
  responseOf(await resetByMail(app, claims.email, PASSWORD));
  responseOf(await signIn(own, claims.email));
  expect(await closed()).toEqual([1]);
  // Without its last token, the directory decides nothing, and an admin does.
  await revoke();
  expect(await closed()).toEqual([0]);
  expect((await again()).status).toBe(403);
  expect((await attemptsOf(company))[0]).toMatchObject({ outcome: 'inactive' });
  const member = { org_id: orgId, user_id: await idOf(app, claims.email) };
  await updateRows(app, 'memberships', member, { status: MEMBER_STATUS.active });
  expect((await again()).status).toBe(303);
  await company.close();
});
