import { beforeEach, describe, expect, test } from 'vitest';
import { ACTION, ACTIVITY_TYPE } from '#contract/activity/calls.ts';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import { company, type Company, somebody, type Worker } from '#server/testing/company.ts';
import { companyDirectory, scimClient } from '#server/testing/directories.ts';
import { getRow, updateRows } from '#server/testing/rows.ts';
import { activityOf } from '#server/testing/staff.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp({ RATE_LIMIT_FACTOR: '100' });
let org: Company;
let boss: Worker;
let directory: Awaited<ReturnType<typeof companyDirectory>>;
let counter = 0;
beforeEach(async () => {
  org = await company(app);
  boss = await org.join('superAdmin');
  directory = await companyDirectory(app, org, boss);
});

async function colleague(role: 'sales' | 'superAdmin' = 'sales') {
  const email = `lee${(counter += 1)}@${directory.domain}`;
  const worker = await somebody(app, { email });
  await org.add(worker, role);
  const { status, body } = await directory.post('/Users', { userName: email, active: true });
  expect(status).toBe(201);
  const roleNow = async () => (await getRow(app, 'memberships', ['role_id'], { user_id: worker.id })).role_id;
  return { ...worker, scimId: body.id, path: `/Users/${body.id}`, roleNow };
}
type Group = { id: string; path: string };
async function group(displayName: string, members: readonly { scimId: string }[] = []): Promise<Group> {
  const values = members.map(({ scimId }) => ({ value: scimId }));
  const { status, body } = await directory.post('/Groups', { displayName, externalId: '7', members: values });
  expect([status, body['displayName']]).toEqual([201, displayName]);
  return { id: body.id, path: `/Groups/${body.id}` };
}
const setRole = (groupId: string, role: number | null) =>
  boss.visitor.put('/api/orgs/directory', { org_id: org.orgId, group_id: groupId, role_id: role });
const membersOf = async (path: string) =>
  ((await directory.get(path)).body['members'] as { value: string }[]).map(({ value }) => value);

describe('groups', () => {
  test('have unique names, whatever their case', async () => {
    const { id } = await group('Sales');
    expect((await directory.find('displayName eq "sales"', 'Groups')).map((one) => one['id'])).toEqual([id]);
    const twice = await directory.post('/Groups', { displayName: 'SALES' });
    // The page shows it among the refused calls, so it says which group is meant.
    expect([twice.status, twice.body['detail']]).toEqual([
      409,
      'Another group has the name "Sales" (externalId "7").',
    ]);
  });

  test('names are found and unique also where lower case depends on the language', async () => {
    for (const name of ['ΠΩΛΗΣΕΙΣ', 'İzmir']) {
      const emails = () => [{ value: `lee${(counter += 1)}@${directory.domain}` }];
      const user = { userName: name, displayName: name };
      for (const of of ['Users', 'Groups']) {
        const add = async () => (await directory.post(`/${of}`, { ...user, emails: emails() })).status;
        expect([await add(), await add()]).toEqual([201, 409]);
        expect(
          await directory.find(`${of === 'Users' ? 'userName' : 'displayName'} eq "${name}"`, of),
        ).toHaveLength(1);
      }
    }
  });

  test('take no unknown members and none of another company, name them, and take the others (U5)', async () => {
    const { path } = await group('Sales');
    const lee = await colleague();
    const other = await company(app);
    const theirs = await companyDirectory(app, other, await other.join('superAdmin'));
    const { body } = await theirs.post('/Users', { userName: `kim@${theirs.domain}` });
    const refused = [body.id, 'x\u0000', crypto.randomUUID()];
    const value = [...refused, lee.scimId].map((id) => ({ value: id }));
    const answer = await directory.patch(path, { op: 'add', path: 'members', value });
    const named = refused.map((id) => id.replace('\0', ''));
    expect([answer.status, answer.body['refusedMembers'], await membersOf(path)]).toEqual([
      200,
      named,
      [lee.scimId],
    ]);
    const { tokens } = responseOf<{ tokens: { refused: object[] }[] }>(
      await boss.visitor.get(`/api/orgs/directory?org_id=${org.orgId}`),
    );
    expect(tokens[0]?.refused[0]).toMatchObject({
      call: 'PATCH /Groups/:id',
      status: 200,
      reason: expect.stringContaining(named.join(', ')) as unknown,
    });
    for (const own of [path, `/Users/${body.id}`, '/Users/1', "/Users/'"])
      for (const client of own === path ? [theirs] : [directory])
        for (const call of [
          client.get(own),
          client.delete(own),
          client.put(own, { displayName: 'x', userName: 'x' }),
        ])
          expect((await call).status).toBe(404);
    expect(await theirs.find('userName eq "lee"')).toEqual([]);
  });
});

describe('roles of groups (U7)', () => {
  test('the highest rank wins, the last group leaves the usual role, and a Super Admin stays one', async () => {
    const [lee, chief] = [await colleague(), await colleague('superAdmin')];
    const staff = await group('Staff', [lee, chief]);
    const leads = await group('Leads', [lee, chief]);
    const plain = await org.newRole();
    expect(await lee.roleNow()).toBe(org.roles.sales);
    responseOf(await setRole(staff.id, plain));
    expect(await lee.roleNow()).toBe(plain);
    responseOf(await setRole(leads.id, org.roles.lead));
    expect([await lee.roleNow(), await chief.roleNow()]).toEqual([org.roles.lead, org.roles.superAdmin]);
    await directory.patch(leads.path, { op: 'remove', path: `members[value eq "${lee.scimId}"]` });
    expect(await lee.roleNow()).toBe(plain);
    await directory.delete(staff.path);
    expect(await lee.roleNow()).toBe(org.roles.sales);
  });

  test('a deactivated member keeps the groups', async () => {
    const lee = await colleague();
    const { id, path } = await group('Leads', [lee]);
    responseOf(await setRole(id, org.roles.lead));
    await directory.patch(lee.path, { op: 'replace', path: 'active', value: false });
    expect(await membersOf(path)).toEqual([lee.scimId]);
    await directory.patch(lee.path, { op: 'replace', path: 'active', value: true });
    expect(await lee.roleNow()).toBe(org.roles.lead);
  });

  test('pages learn what the directory manages, and the server keeps exactly that (U22)', async () => {
    const [lee, chief] = [await colleague(), await colleague('superAdmin')];
    type Row = { user_id: number; email: string; first_name: string; role_id: number; managed?: string[] };
    const list = async () =>
      responseOf<{ members: Row[] }>(await boss.visitor.get(`/api/orgusers?org_id=${org.orgId}`)).members;
    const managed = async ({ id }: { id: number }) =>
      (await list()).find(({ user_id }) => user_id === id)?.managed;
    const edit = async ({ id }: { id: number }, change: object) => {
      const row = (await list()).find(({ user_id }) => user_id === id);
      const { first_name, role_id } = row as Row;
      const body = { org_id: org.orgId, user_id: id, first_name, role_id, ...change };
      return (await boss.visitor.put('/api/orgusers', body)).code;
    };
    const other = { role_id: await org.newRole() };
    expect([await managed(boss), await managed(lee)]).toEqual([undefined, ['names']]);
    expect(await edit(lee, { designation: 'Buyer' })).toBe('not_allowed');
    expect(await edit(lee, { ...other, status: MEMBER_STATUS.inactive })).toBeUndefined();
    expect(await edit(lee, { status: MEMBER_STATUS.active })).toBeUndefined();

    const { id } = await group('Leads', [lee, chief]);
    responseOf(await setRole(id, org.roles.lead));
    expect([await managed(lee), await managed(chief)]).toEqual([['names', 'role'], ['names']]);
    expect([await edit(lee, other), await edit(chief, other)]).toEqual(['not_allowed', undefined]);
    await directory.patch(lee.path, { op: 'replace', path: 'active', value: false });
    expect(await managed(lee)).toEqual(['names', 'role', 'status']);
    expect(await edit(lee, { status: MEMBER_STATUS.active })).toBe('not_allowed');

    // Neither a new invitation nor a person's own profile goes around it.
    const userName = `kim@${directory.domain}`;
    await directory.post('/Users', { userName, active: true });
    const kim = { first_name: 'Kim', email_id: userName, role_id: org.roles.admin, org_id: org.orgId };
    expect((await boss.visitor.post('/api/orgusers', kim)).code).toBe('user_present_in_org');
    const invited = (await list()).find(({ email }) => email === userName);
    responseOf(
      await boss.visitor.post('/api/orgusers/resend', { org_id: org.orgId, user_id: invited?.user_id }),
    );
    expect((await list()).find(({ email }) => email === userName)).toEqual(invited);
    responseOf(await chief.visitor.put('/api/user', { first_name: 'Chief' }));
    expect((await list()).find(({ user_id }) => user_id === chief.id)?.first_name).not.toBe('Chief');

    await app.deps.sql.deleteFrom('scim_tokens').execute();
    expect(await managed(lee)).toBeUndefined();
  });

  test('a deleted role passes on, but never as Super Admin', async () => {
    const lee = await colleague();
    const { id } = await group('Leads', [lee]);
    responseOf(await setRole(id, org.roles.lead));
    const move = (role: number, to: number) =>
      boss.visitor.delete('/api/role', {
        org_id: org.orgId,
        role_id: role,
        new_role_id: to,
        holders: undefined,
      });
    const next = await org.newRole();
    responseOf(await move(org.roles.sales, next));
    expect((await getRow(app, 'scim_tokens', ['role_id'], { org_id: org.orgId })).role_id).toBe(next);
    await updateRows(app, 'memberships', { user_id: lee.id }, { role_id: next });
    responseOf(await move(org.roles.lead, org.roles.superAdmin));
    expect((await getRow(app, 'scim_groups', ['role_id'], { id })).role_id).toBeNull();
  });
});

describe('the settings', () => {
  const add = (role: number) =>
    boss.visitor.post('/api/orgs/directory', { org_id: org.orgId, role_id: role });

  test('a token is shown once, serves until it is revoked, and is logged and mailed', async () => {
    const { id, token } = responseOf<{ id: number; token: string }>(await add(org.roles.sales));
    expect(token).toMatch(/^scim_[\w-]{43}$/);
    expect((await add(org.roles.sales)).code).toBe('directory_token_limit_reached');
    const client = scimClient(app, token);
    expect((await client.get('/ServiceProviderConfig')).status).toBe(200);
    const read = responseOf<{ tokens: object[] }>(
      await boss.visitor.get(`/api/orgs/directory?org_id=${org.orgId}`),
    );
    expect(read).toMatchObject({ address: `${app.url}/api/scim/v2`, people: 0, groups: [] });
    expect(read.tokens).toContainEqual(
      expect.objectContaining({
        id,
        role_id: org.roles.sales,
        last_used_time: app.clock.now().toISOString(),
      }),
    );
    expect(JSON.stringify(read)).not.toContain(token);
    responseOf(await boss.visitor.delete('/api/orgs/directory', { org_id: org.orgId, token_id: id }));
    const { status, headers, body } = await client.get('/Users');
    expect([status, headers.get('www-authenticate'), body['status']]).toEqual([401, 'Bearer', '401']);
    expect((await activityOf(app, org.orgId))[0]).toMatchObject({
      activity_type: ACTIVITY_TYPE.directoryToken,
      action: ACTION.delete,
      user_id: boss.id,
    });
    expect((await app.mails(boss.email)).map(({ subject }) => subject)).toContain(
      'A company directory can now manage Northwind',
    );
  });

  test('no token or group gives Super Admin (U7)', async () => {
    const { id } = await group('Leads');
    for (const answer of [await add(org.roles.superAdmin), await setRole(id, org.roles.superAdmin)])
      expect(answer.code).toBe('not_allowed');
  });

  test('refused calls are kept with the names of their fields, without values', async () => {
    const lee = await colleague();
    await directory.patch(lee.path, {
      op: 'replace',
      path: 'emails[type eq "private',
      value: 'secret@mail.example',
    });
    await directory.post('/Users', { userName: 'secret', password: 'secret' });
    await directory.get('/Users?filter=secret');
    // A cut name may end in half a character.
    expect((await directory.post('/Users', { [`${'x'.repeat(199)}😀`]: 1 })).status).toBe(400);
    const { tokens } = responseOf<{ tokens: { refused: object[] }[] }>(
      await boss.visitor.get(`/api/orgs/directory?org_id=${org.orgId}`),
    );
    expect(tokens[0]?.refused).toMatchObject([
      { call: 'POST /Users', status: 400, fields: [expect.stringMatching(/^x{199}/)] },
      { call: 'GET /Users', status: 400, fields: [] },
      { call: 'POST /Users', status: 400, fields: ['userName', 'password'] },
      { call: 'PATCH /Users/:id', status: 400, fields: ['emails[type eq "…"'] },
    ]);
  });
});

test('pages of users in a stable order, with numbers as integers', async () => {
  const ids = [(await colleague()).scimId, (await colleague()).scimId, (await colleague()).scimId];
  const list = async (query: string) => {
    const { body } = await directory.get(`/Users?${query}`);
    const resources = body['Resources'] as { id: string }[];
    return [body['totalResults'], body['startIndex'], body['itemsPerPage'], resources.map(({ id }) => id)];
  };
  const [all] = [(await list(''))[3] as string[]];
  expect(all.toSorted()).toEqual(ids.toSorted());
  expect(await list('startIndex=2&count=1')).toEqual([3, 2, 1, [all[1]]]);
  expect(await list('startIndex=0&count=1000')).toEqual([3, 1, 3, all]);
  expect(await list('count=0')).toEqual([3, 1, 0, []]);
  expect(await list('startIndex=9')).toEqual([3, 9, 0, []]);
  expect(await list(`filter=${encodeURIComponent(`id eq "${all[0]}"`)}`)).toEqual(
    [3, 1, 1, [all[0]]].with(0, 1),
  );
});
