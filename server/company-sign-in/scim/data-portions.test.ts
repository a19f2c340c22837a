import { beforeAll, expect, test } from 'vitest';
import { listGroupMembers } from './data-members.ts';
import { company, type Company, type Worker } from '#server/testing/company.ts';
import { companyDirectory } from '#server/testing/directories.ts';
import { queriesOf } from '#server/testing/queries.ts';
import { getRow } from '#server/testing/rows.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

// Nobody waits for an organization with large groups: each statement and transaction touches a portion, and the event
// loop turns between them. PGlite answers without a turn of the loop, so that a long change would hold up everybody.

const app = useApp({ RATE_LIMIT_FACTOR: '100' });
const PEOPLE = 105;
const LARGEST_PORTION = 100;
let org: Company;
let boss: Worker;
let directory: Awaited<ReturnType<typeof companyDirectory>>;
let people: { value: string }[];
beforeAll(async () => {
  org = await company(app);
  boss = await org.join('superAdmin');
  directory = await companyDirectory(app, org, boss);
  const rows = Array.from({ length: PEOPLE }, (_, at) => ({
    org_id: org.orgId,
    user_name: `u${at}`,
    external_id: '',
    email: '',
    email_key: `u${at}`,
    is_active: false,
    given_name: '',
    family_name: '',
    display_name: '',
    title: '',
    created_at: app.clock.now(),
    changed_at: app.clock.now(),
  }));
  const made = await app.deps.sql.insertInto('scim_users').values(rows).returning('id').execute();
  people = made.map(({ id }) => ({ value: id }));
});

/** The statements of some work, and how many turns of the event loop they were spread over. */
async function watched(work: () => Promise<unknown>, statement: RegExp) {
  let turn = 0;
  const turns = new Set<number>();
  const queries = await queriesOf(work, ({ text }) => {
    if (!statement.test(text)) return;
    turns.add(turn);
    setImmediate(() => (turn += 1));
  });
  const portions = queries.filter(({ text }) => statement.test(text));
  return { statements: queries.length, portions, turns: turns.size };
}
const portionsOf = (count: number) => Math.ceil(count / LARGEST_PORTION);
const largest = ({ portions }: Awaited<ReturnType<typeof watched>>) =>
  Math.max(
    ...portions.map(({ values }) => Math.max(...values.map((one) => (Array.isArray(one) ? one.length : 0)))),
  );

test('a group of hundreds is filled, read, given a role, emptied and deleted in portions', async () => {
  const { body: group } = await directory.post('/Groups', { displayName: 'All' });
  const path = `/Groups/${group.id}`;
  const patch = (operation: object) => () => directory.patch(path, operation);
  const portions = portionsOf(PEOPLE);

  const filled = await watched(
    patch({ op: 'add', path: 'members', value: people }),
    /insert into scim_group_members/,
  );
  expect([filled.portions.length, filled.turns, largest(filled)]).toEqual([
    portions,
    portions,
    LARGEST_PORTION,
  ]);
  expect(filled.statements).toBeLessThan(15 * portions);
  expect(await getRow(app, 'scim_groups', ['size'], { id: group.id })).toEqual({ size: PEOPLE });

  const read = await watched(() => directory.get('/Groups'), /from scim_group_members/);
  expect(read.portions).toHaveLength(1);

  const role = { org_id: org.orgId, group_id: group.id, role_id: org.roles.lead };
  const given = await watched(
    async () => responseOf(await boss.visitor.put('/api/orgs/directory', role)),
    /with portion as/,
  );
  expect([given.portions.length, given.turns]).toEqual([portions + 1, portions + 1]);
  // Those for whom the answer does not wait get it by the job, one transaction each.
  const due = async () =>
    (await app.deps.sql.selectFrom('scim_users').where('is_role_due', '=', true).select('id').execute())
      .length;
  expect(await due()).toBe(PEOPLE - 25);
  const followed = await watched(() => app.mails(), /update "scim_users" set "is_role_due"/);
  expect([followed.portions.length, followed.turns, await due()]).toEqual([PEOPLE - 25, PEOPLE - 25, 0]);

  const some = people.slice(0, PEOPLE - LARGEST_PORTION - 1);
  const replaced = await watched(
    patch({ op: 'replace', path: 'members', value: some }),
    /insert into scim_group_members/,
  );
  expect([replaced.portions.length, largest(replaced)]).toEqual([2, LARGEST_PORTION]);
  const deleted = await watched(() => directory.delete(path), /insert into scim_group_members/);
  expect([deleted.portions.length, deleted.turns]).toEqual([1, 1]);
  expect((await directory.get(path)).status).toBe(404);
});

test('a change of one member of a large group takes few statements, whatever its size', async () => {
  const [one] = people;
  const counts: number[] = [];
  for (const members of [[], people]) {
    const { body } = await directory.post('/Groups', { displayName: `of ${members.length}`, members });
    const add = { op: 'add', path: 'members', value: [members.length === 0 ? one : people.at(-1)] };
    const remove = { op: 'remove', path: `members[value eq "${one?.value}"]` };
    const work = async () => {
      await directory.patch(`/Groups/${body.id}`, add);
      await directory.patch(`/Groups/${body.id}`, remove);
    };
    counts.push((await queriesOf(work)).length);
  }
  const [small = 0, large = 0] = counts;
  expect(large).toBeLessThanOrEqual(small);
});

test('members of several groups are read in portions, each of them once', async () => {
  const groupIds: string[] = [];
  for (const size of [2, 0, 5, 3]) {
    const group = { displayName: `read ${size}`, members: people.slice(0, size) };
    groupIds.push((await directory.post('/Groups', group)).body.id);
  }
  const read = async (most: number) => {
    const all: string[] = [];
    for (let rows: Awaited<ReturnType<typeof listGroupMembers>> = []; ;) {
      rows = await listGroupMembers(app.deps.sql, groupIds, rows.at(-1), most);
      all.push(...rows.map(({ groupId, id }) => `${groupId} ${id}`));
      if (rows.length < most) return all;
    }
  };
  const whole = await read(100);
  expect([whole.length, new Set(whole).size]).toEqual([10, 10]);
  for (const most of [1, 2, 3, 5]) expect(await read(most)).toEqual(whole);
});

test('a page has fewer groups rather than too many members, and each is whole', async () => {
  await app.deps.sql.deleteFrom('scim_groups').execute();
  for (const name of ['a', 'b', 'c']) {
    app.clock.forward(1000);
    await directory.post('/Groups', { displayName: name, members: people });
  }
  await app.deps.sql.updateTable('scim_groups').set({ size: 6000 }).execute();
  const names = async (query: string) => {
    const { body } = await directory.get(`/Groups?${query}`);
    const groups = body['Resources'] as { displayName: string; members?: object[] }[];
    return [body['totalResults'], groups.map((one) => [one.displayName, one.members?.length])];
  };
  expect(await names('count=200')).toEqual([3, [['a', PEOPLE]]]);
  expect(await names('startIndex=2&count=200')).toEqual([3, [['b', PEOPLE]]]);
  expect(await names('excludedAttributes=members')).toEqual([
    3,
    ['a', 'b', 'c'].map((name) => [name, undefined]),
  ]);
  await app.deps.sql.updateTable('scim_groups').set({ size: 40_000 }).execute();
  const [spare] = people;
  const more = await directory.post('/Groups', { displayName: 'd', members: [spare] });
  expect([more.status, more.body['detail']]).toEqual([
    403,
    'The groups of an organization have at most 100000 members.',
  ]);
});
