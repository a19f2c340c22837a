import { describe, expect, test } from 'vitest';
import { company, type Company, type Worker } from '#server/testing/company.ts';
import { brokenInvariants } from '#server/testing/invariants.ts';
import { newEmail } from '#server/testing/people.ts';
import { browserAt, CROWDS, RACE_TIMEOUT as timeout } from '#server/testing/races.ts';
import { listRows } from '#server/testing/rows.ts';
import { startBeside } from '#server/testing/start-app.ts';
import { useApp, useServer } from '#server/testing/use-app.ts';
import { type Answer, responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp({ LOG_LEVEL: 'warn', RATE_LIMIT_FACTOR: '1000' });
const beside = useServer(() => startBeside(app));

type Organization = Company & { readonly boss: Worker };
/** Sends all calls at once, every other one to the second process. Each round starts with another call. */
async function atOnce(org: Organization, round: number, calls: ((visitor: Visitor) => Promise<Answer>)[]) {
  const { visitor } = org.boss;
  const numbered = calls.map((call, at) => [at, call] as const);
  const first = round % calls.length;
  const rotated = [...numbered.slice(first), ...numbered.slice(0, first)];
  const answers = await Promise.all(
    rotated.map(async ([at, call], place) => {
      const answer = await call(place % 2 === 0 ? visitor : browserAt(beside, visitor));
      return [at, answer] as const;
    }),
  );
  return answers.toSorted(([a], [b]) => a - b).map(([, answer]) => answer);
}
const codes = (answers: readonly Answer[]) => answers.map(({ code = 'ok' }) => code);
const count = (list: readonly string[], code: string) => list.filter((item) => item === code).length;
const rolesOf = async ({ orgId }: Organization) =>
  (await listRows(app, 'roles', ['id'], { org_id: orgId })).map(({ id }) => Number(id));
const holdersOf = async ({ orgId }: Organization, role: number) =>
  (await listRows(app, 'memberships', ['role_id'], { org_id: orgId })).filter(
    ({ role_id }) => role_id === role,
  ).length;
const remove = (org: Organization, role_id: number, new_role_id: number) => (visitor: Visitor) =>
  visitor.delete('/api/role', { org_id: org.orgId, role_id, new_role_id });
const several = (many: number, make: (at: number) => Promise<number>) =>
  Promise.all(Array.from({ length: many }, (_, at) => make(at)));

describe.for(CROWDS)('$rounds rounds of $crowd at once', ({ crowd, rounds }) => {
  const race = (run: (org: Organization, round: number) => Promise<void>) => async () => {
    for (let round = 0; round < rounds; round += 1) {
      const bare = await company(app);
      const org = { ...bare, boss: await bare.join('superAdmin') };
      await run(org, round);
      expect({ round, broken: await brokenInvariants(app, org.orgId) }).toEqual({ round, broken: [] });
    }
    expect(await brokenInvariants(app)).toEqual([]);
  };

  test('K5: a role deleted during invitations with it leaves nobody without one', timeout, async () => {
    const results = new Set<string>();
    await race(async (org, round) => {
      const [old, by] = [await org.newRole(), await org.newRole()];
      const first = Promise.withResolvers<void>();
      const invite = async (visitor: Visitor) => {
        const invitation = {
          org_id: org.orgId,
          role_id: old,
          first_name: 'Tom',
          email_id: newEmail('tom'),
        };
        const answer = await visitor.post('/api/orgusers', invitation);
        first.resolve();
        return answer;
      };
      // Even rounds delete together with the invitations, odd rounds after the first of them.
      const removeNow = async (visitor: Visitor) => {
        if (round % 2 === 1) await first.promise;
        return remove(org, old, by)(visitor);
      };
      const calls = [removeNow, ...Array.from({ length: crowd - 1 }, () => invite)];
      const [removal, ...invitations] = await atOnce(org, round, calls);
      for (const code of codes(invitations)) results.add(code);
      const invited = count(codes(invitations), 'ok');
      expect(removal && responseOf(removal)).toEqual({ moved: invited });
      expect([await holdersOf(org, old), await holdersOf(org, by)]).toEqual([0, invited]);
    })();
    for (const code of results) expect(['ok', 'role_not_found']).toContain(code);
  });

  test('K5: a role deleted while people get it leaves nobody without one', timeout, async () => {
    const results = new Set<string>();
    await race(async (org, round) => {
      const [old, by] = [await org.newRole(), await org.newRole()];
      const people = await several(crowd - 1, async () => (await org.join('sales')).id);
      const assign = (user_id: number) => (visitor: Visitor) =>
        visitor.put('/api/orgusers', { org_id: org.orgId, user_id, first_name: 'Ann', role_id: old });
      const [removal, ...edits] = await atOnce(org, round, [remove(org, old, by), ...people.map(assign)]);
      for (const code of codes(edits)) results.add(code);
      const assigned = count(codes(edits), 'ok');
      expect(removal && responseOf(removal)).toEqual({ moved: assigned });
      expect([await holdersOf(org, old), await holdersOf(org, by)]).toEqual([0, assigned]);
    })();
    for (const code of results) expect(['ok', 'role_not_found']).toContain(code);
  });

  test('Super Admin does not replace a role that other people got meanwhile', timeout, async () => {
    const results = new Set<string>();
    await race(async (org, round) => {
      const old = await org.newRole();
      const people = await several(crowd - 1, async () => (await org.join('sales')).id);
      const read = `/api/role?org_id=${org.orgId}&role_id=${old}&holders=1`;
      const { holders } = responseOf<{ holders: string }>(await org.boss.visitor.get(read));
      const body = { org_id: org.orgId, role_id: old, new_role_id: org.roles.superAdmin, holders };
      const removeKnowing = (visitor: Visitor) => visitor.delete('/api/role', body);
      const assign = (user_id: number) => (visitor: Visitor) =>
        visitor.put('/api/orgusers', { org_id: org.orgId, user_id, first_name: 'Ann', role_id: old });
      const [removal] = codes(await atOnce(org, round, [removeKnowing, ...people.map(assign)]));
      if (removal) results.add(removal);
      expect(await holdersOf(org, org.roles.superAdmin)).toBe(1);
    })();
    for (const code of results) expect(['ok', 'changed_meanwhile']).toContain(code);
  });

  test(
    'deletions that name each other as replacement leave a role, and everybody has a role that exists',
    timeout,
    race(async (org, round) => {
      const roles = await several(crowd, () => org.newRole());
      const calls = roles.map((role, at) => remove(org, role, roles[(at + 1) % crowd] ?? 0));
      const results = codes(await atOnce(org, round, calls));
      const remaining = (await rolesOf(org)).filter((role) => roles.includes(role));
      expect(count(results, 'ok') + count(results, 'role_not_found')).toBe(crowd);
      expect(remaining).toHaveLength(crowd - count(results, 'ok'));
      expect(remaining.length).toBeGreaterThan(0);
    }),
  );

  test(
    'calls that create roles with one name make one role',
    timeout,
    race(async (org, round) => {
      const before = (await rolesOf(org)).length;
      const create = (role_name: string) => (visitor: Visitor) =>
        visitor.post('/api/role', { org_id: org.orgId, role_name });
      const names = Array.from({ length: crowd }, (_, at) => (at % 2 === 0 ? 'Support' : ' SUPPORT  '));
      const results = codes(await atOnce(org, round, names.map(create)));
      expect([count(results, 'ok'), count(results, 'role_already_exists')]).toEqual([1, crowd - 1]);
      expect(await rolesOf(org)).toHaveLength(before + 1);
    }),
  );

  test(
    'tables of rights saved at once never mix, and the log leads to the stored one',
    timeout,
    race(async (org, round) => {
      const role_id = await org.newRole();
      const none = { create: 0, read: 0, update: 0, delete: 0 };
      const table = (module: number, right: string) => ({
        sign: Object.fromEntries(
          [1, 2, 3, 4, 5].map((at) => [at, at === module ? { ...none, read: 1, [right]: 1 } : none]),
        ),
      });
      const tables = Array.from({ length: crowd }, (_, at) =>
        table(1 + (at % 5), ['create', 'update'][at % 2] ?? ''),
      );
      const save = (permission: object) => (visitor: Visitor) =>
        visitor.put('/api/role', { org_id: org.orgId, role_id, permission });
      const answers = await atOnce(org, round, tables.map(save));
      const read = `/api/role?org_id=${org.orgId}&role_id=${role_id}&isPermission=1`;
      const { role_permission: stored } = responseOf<{ role_permission: object }>(
        await org.boss.visitor.get(read),
      );
      expect(tables).toContainEqual(stored);
      const results = codes(answers);
      expect(count(results, 'ok') + count(results, 'no_changes')).toBe(crowd);
      expect(await rightsOf(role_id)).toEqual(await rightsByLog(org, role_id));
    }),
  );
});

const rightsOf = async (roleId: number) =>
  (await listRows(app, 'role_rights', ['service', 'module', 'action'], { role_id: roleId }))
    .map(({ service, module, action }) => `${service}.${module}.${action}`)
    .toSorted();

/** Replays the log. The old values of each row must be the state after the row before it. */
async function rightsByLog({ orgId }: Organization, roleId: number) {
  const rows = await listRows(
    app,
    'activity',
    ['information'],
    { org_id: orgId, record_id: roleId, activity_type: 11 },
    'id',
  );
  const rights = new Set<string>();
  for (const { information } of rows)
    for (const [right, change] of Object.entries(information)) {
      if (!Array.isArray(change)) continue;
      expect(rights.has(right)).toBe(change[0]);
      if (change[1]) rights.add(right);
      else rights.delete(right);
    }
  return [...rights].toSorted();
}
