import { expect, test } from 'vitest';
import type { OrgId, UserId } from '#contract/wire.ts';
import { standingKey, findStandings } from './data.ts';
import { confirmed, founder } from '#server/testing/people.ts';
import { join, roleIdOf, staff } from '#server/testing/staff.ts';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp();

test('a batch returns each person’s own membership, in the named or the default organization', async () => {
  const [maya, tom] = [await founder(app), await founder(app, 'Fabrikam')];
  const admin = await staff(app, maya.orgId, 'Admin');
  const [paused, nobody] = [await confirmed(app), await confirmed(app)];
  const adminRole = await roleIdOf(app, tom.orgId, 'Admin');
  await join(app, maya, tom.orgId, adminRole);
  await join(app, paused, tom.orgId, adminRole, 3);

  const cases: [person: { id: number }, orgId: number | undefined, standing: object | undefined][] = [
    [maya, undefined, { orgId: maya.orgId, rank: 'superAdmin' }],
    [maya, maya.orgId, { orgId: maya.orgId, rank: 'superAdmin' }],
    [maya, tom.orgId, { orgId: tom.orgId, rank: 'admin' }],
    [tom, maya.orgId, undefined],
    [admin, undefined, { orgId: maya.orgId, rank: 'admin' }],
    [paused, tom.orgId, undefined],
    [nobody, undefined, undefined],
  ];
  const keys = cases.map(([{ id }, orgId]) => standingKey(id as UserId, orgId as OrgId | undefined));
  const standings = await findStandings(app.deps.sql, keys);
  const results = keys.map((key) => {
    const { orgId, rank } = standings.get(key) ?? {};
    return rank && { orgId, rank };
  });
  expect(results).toEqual(cases.map(([, , standing]) => standing));
});
