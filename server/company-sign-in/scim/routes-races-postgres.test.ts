import { beforeEach, expect, test } from 'vitest';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import { company, type Company, somebody, type Worker } from '#server/testing/company.ts';
import { companyDirectory } from '#server/testing/directories.ts';
import { listRows } from '#server/testing/rows.ts';
import { useApp } from '#server/testing/use-app.ts';

const SEATS = 3;
const app = useApp({ RATE_LIMIT_FACTOR: '100', MAX_MEMBERS_PER_ORG: String(SEATS) });
let org: Company;
let boss: Worker;
let directory: Awaited<ReturnType<typeof companyDirectory>>;
let counter = 0;
beforeEach(async () => {
  org = await company(app);
  boss = await org.join('superAdmin');
  directory = await companyDirectory(app, org, boss);
});
const add = (name = `kim${(counter += 1)}`) =>
  directory.post('/Users', { userName: `${name}@${directory.domain}` });
const statusesOf = async (calls: Promise<{ status: number }>[]) =>
  (await Promise.all(calls)).map(({ status }) => status).toSorted((a, b) => a - b);

test('of equal users one is added, and so is the last one for whom there is a seat', async () => {
  expect(await statusesOf([add('kim'), add('kim'), add('KIM')])).toEqual([201, 409, 409]);
  expect(await statusesOf([add(), add(), add()])).toEqual([201, 403, 403]);
  expect(await listRows(app, 'memberships', ['id'], { org_id: org.orgId })).toHaveLength(SEATS);
});

test('two Super Admins, whom the directory deactivates at once: one stays', async () => {
  const paths = [];
  for (const name of ['ann', 'bo']) {
    const worker = await somebody(app, { email: `${name}${(counter += 1)}@${directory.domain}` });
    await org.add(worker, 'superAdmin');
    const { body } = await directory.post('/Users', { userName: worker.email });
    paths.push(`/Users/${body.id}`);
  }
  await app.deps.sql.deleteFrom('memberships').where('user_id', '=', boss.id).execute();
  const calls = paths.map((path) => directory.patch(path, { op: 'replace', value: { active: false } }));
  expect(await statusesOf(calls)).toEqual([200, 403]);
  const members = await listRows(app, 'memberships', ['status'], { org_id: org.orgId });
  expect(members.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    MEMBER_STATUS.active,
    MEMBER_STATUS.inactive,
  ]);
});

test('a deactivation beside calls of the member leaves no session', async () => {
  const worker = await somebody(app, { email: `lee${(counter += 1)}@${directory.domain}` });
  await org.add(worker, 'sales');
  const { body } = await directory.post('/Users', { userName: worker.email });
  const calls = Array.from({ length: 8 }, () => worker.visitor.get(`/api/init?org_id=${org.orgId}`));
  await directory.patch(`/Users/${body.id}`, { op: 'replace', value: { active: false } });
  await Promise.all(calls);
  expect(await listRows(app, 'sessions', ['id'], { user_id: worker.id })).toEqual([]);
  expect((await worker.visitor.get(`/api/init?org_id=${org.orgId}`)).code).toBe('not_signed_in');
});
