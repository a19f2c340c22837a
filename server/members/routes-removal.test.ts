import { beforeAll, describe, expect, test } from 'vitest';
import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity/calls.ts';
import { MINUTE_MS } from '#server/clock.ts';
import { type Boss, colleague, customRole, founder } from '#server/testing/people.ts';
import { untouched } from '#server/testing/untouched.ts';
import { useApp } from '#server/testing/use-app.ts';
import { type Answer, responseOf } from '#server/testing/visitor.ts';

const app = useApp();
let boss: Boss;
let plain: Boss;
beforeAll(async () => {
  boss = await founder(app);
  await customRole(app, boss.orgId, 'Sales');
  plain = await colleague(app, boss, 'Sales');
});

const remove = ({ id }: { readonly id: number }, by: Boss = boss) =>
  by.visitor.delete('/api/orgusers', { org_id: boss.orgId, del_user_id: id });
const codeOf = async (call: () => Promise<Answer>) => (await untouched(app, call)).code;
const lastActivity = () =>
  app.deps.sql.selectFrom('activity').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst();

describe('DELETE /orgusers', () => {
  test('ends the membership at once but not the account; the log has the old values, and the person gets a mail', async () => {
    const person = await colleague(app, boss);
    expect(responseOf(await remove(person))).toEqual({});
    expect((await person.visitor.get(`/api/init?org_id=${boss.orgId}`)).code).toBe('org_not_found');
    expect(responseOf(await person.visitor.get('/api/ustat'))).toMatchObject({ id: person.id });
    expect(await lastActivity()).toMatchObject({
      user_id: boss.id,
      module: MODULE.organization,
      activity_type: ACTIVITY_TYPE.invitedContact,
      action: ACTION.delete,
      record_id: person.id,
      information: { email: [person.email, null], role: ['Admin', null], status: [2, null] },
    });
    expect((await app.mails(person.email)).at(-1)?.subject).toBe(
      'You are no longer a member of Northwind Traders',
    );
    expect(await codeOf(() => remove(person))).toBe('user_not_found');
  });

  test('never removes the caller or a member of another organization (G8)', async () => {
    expect(await codeOf(() => remove(boss))).toBe('not_allowed');
    const other = await founder(app, 'Other');
    expect(await codeOf(() => remove(other))).toBe('user_not_found');
  });

  test('needs a recent step-up', async () => {
    const late = await colleague(app, boss, 'Super Admin');
    app.clock.forward(11 * MINUTE_MS);
    expect(await codeOf(() => remove(plain, late))).toBe('reauthentication_required');
  });
});
