import { beforeEach, expect, test } from 'vitest';
import { ACTIVITY_TYPE } from '#contract/activity/calls.ts';
import { brokenChains } from './verify.ts';
import { DAY_MS } from '#server/clock.ts';
import { type Company, company, type Worker } from '#server/testing/company.ts';
import { insertLogged } from '#server/testing/logged.ts';
import { deleteRows } from '#server/testing/rows.ts';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp();
let here: Company;
let boss: Worker;
let member: Worker;
beforeEach(async () => {
  here = await company(app);
  [boss, member] = [await here.join('superAdmin'), await here.join('sales')];
  const information = { role: ['Sales', 'Lead'] };
  await insertLogged(app, {
    orgId: here.orgId,
    by: boss,
    type: ACTIVITY_TYPE.invitedContact,
    recordId: member.id,
    information,
  });
  await insertLogged(app, { by: member, information: { first_name: ['Ann', 'Anna'] } });
});

const chains = () => [`org:${here.orgId}`, `user:${member.id}`];
/** Empties texts as the portal's own database user, which the guard allows. */
const empty = () =>
  app.deps.sql.updateTable('activity').set({ information: {} }).where('chain', 'in', chains()).execute();
async function verify() {
  const breaks = [];
  for (const only of chains())
    for await (const { chain, position, problem } of brokenChains(app.deps, only))
      breaks.push(`${chain} ${position}: ${problem}`);
  return breaks;
}
const [organization, person] = [() => chains()[0] ?? '', () => chains()[1] ?? ''];
const deletionOf = ({ id }: Worker) => {
  const now = app.clock.now();
  const row = { user_id: id, reason: '', requested_at: now, due_at: new Date(now.getTime() + DAY_MS) };
  return app.deps.sql.insertInto('account_deletions').values(row).execute();
};

test('a text that was emptied while its person and organization exist is reported', async () => {
  expect(await verify()).toEqual([]);
  await empty();
  expect(await verify()).toEqual([`${organization()} 1: an emptied text`, `${person()} 1: an emptied text`]);
});

test('a row that never had a text is valid', async () => {
  await insertLogged(app, { by: member });
  expect(await verify()).toEqual([]);
});

test('a person’s texts may be empty once the person is due to be erased, not before', async () => {
  await empty();
  await deletionOf(member);
  expect(await verify()).toHaveLength(2);
  app.clock.forward(DAY_MS);
  expect(await verify()).toEqual([]);
  await deleteRows(app, 'users', { id: member.id });
  expect(await verify()).toEqual([]);
});

test('the erasure of one person does not excuse empty texts about another', async () => {
  await insertLogged(app, {
    orgId: here.orgId,
    by: member,
    type: ACTIVITY_TYPE.invitedContact,
    recordId: boss.id,
    information: { a: [1, 2] },
  });
  await empty();
  await deleteRows(app, 'users', { id: member.id });
  expect(await verify()).toEqual([`${organization()} 2: an emptied text`]);
});

test('an organization’s whole log may be empty once nobody is left in it', async () => {
  await empty();
  await deleteRows(app, 'organizations', { id: here.orgId });
  expect(await verify()).toEqual([`${person()} 1: an emptied text`]);
});
