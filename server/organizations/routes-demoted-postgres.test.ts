import type { MemberId } from '#contract/wire.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { lockOrganization } from '#server/members/data.ts';
import { invitedId } from '#server/stand-in.ts';
import { company, type Company, type Worker } from '#server/testing/company.ts';
import { upload, skipDrawing } from '#server/testing/icons.ts';
import { newEmail } from '#server/testing/people.ts';
import { listRows } from '#server/testing/rows.ts';
import { useApp } from '#server/testing/use-app.ts';
import { type Answer, responseOf } from '#server/testing/visitor.ts';
import { whileWaiting } from '#server/testing/waiting.ts';

// The gate accepts an admin's request, and the admin is demoted while it waits for the organization's lock.

const app = useApp({ LOG_LEVEL: 'warn', RATE_LIMIT_FACTOR: '1000' });
beforeAll(() => skipDrawing(app));

type World = Company & {
  readonly file: string;
  readonly waiting: Worker & { readonly memberId: MemberId };
  readonly colleague: Worker;
};
type Change = (admin: Worker, here: World) => Promise<Answer>;

const changes: Record<string, Change> = {
  'PUT /orgs, information': ({ visitor }, { orgId }) =>
    visitor.put('/api/orgs', { org_id: orgId, name: 'Too Late' }),
  'PUT /orgs, application': ({ visitor }, { orgId }) =>
    visitor.put('/api/orgs', { org_id: orgId, application_name: 'Late' }),
  'POST /clientOrgIcon': ({ visitor }, { orgId, file }) =>
    visitor.post('/api/clientOrgIcon', { org_id: orgId, icon_type: 1, file_id: file }),
  'POST /drive/appicon': (admin, { orgId }) => upload(app, admin, orgId),
  'POST /role': ({ visitor }, { orgId }) => visitor.post('/api/role', { org_id: orgId, role_name: 'Late' }),
  'PUT /role': ({ visitor }, { orgId, roles }) =>
    visitor.put('/api/role', { org_id: orgId, role_id: roles.sales, role_name: 'Late' }),
  'DELETE /role': ({ visitor }, { orgId, roles }) =>
    visitor.delete('/api/role', { org_id: orgId, role_id: roles.lead, new_role_id: roles.sales }),
  'POST /orgusers': ({ visitor }, { orgId, roles }) => {
    const person = { first_name: 'Tom', email_id: newEmail('tom') };
    return visitor.post('/api/orgusers', { org_id: orgId, role_id: roles.sales, ...person });
  },
  'POST /orgusers/resend': ({ visitor }, { orgId, waiting }) =>
    visitor.post('/api/orgusers/resend', { org_id: orgId, user_id: invitedId(waiting.memberId) }),
  'PUT /orgusers': ({ visitor }, { orgId, roles, colleague }) => {
    const change = { user_id: colleague.id, first_name: 'Late', role_id: roles.sales };
    return visitor.put('/api/orgusers', { org_id: orgId, ...change });
  },
  'DELETE /orgusers': ({ visitor }, { orgId, colleague }) =>
    visitor.delete('/api/orgusers', { org_id: orgId, del_user_id: colleague.id }),
};

const rowsOf = async ({ orgId }: Company) => ({
  organization: await app.deps.sql.selectFrom('organizations').selectAll().where('id', '=', orgId).execute(),
  roles: await app.deps.sql.selectFrom('roles').selectAll().where('org_id', '=', orgId).execute(),
  members: await listRows(
    app,
    'memberships',
    ['user_id', 'first_name', 'status', 'invited_by'],
    { org_id: orgId },
    'id',
  ),
  images: await app.deps.sql.selectFrom('images').selectAll().where('org_id', '=', orgId).execute(),
  log: await listRows(app, 'activity', ['id'], { org_id: orgId }),
});

describe.each(Object.entries(changes))('%s', (_name, change) => {
  test('from an admin who is demoted while it waits is refused', async () => {
    const bare = await company(app);
    const admin = await bare.join('superAdmin');
    const boss = await bare.join('superAdmin');
    const invitee = await bare.invite(boss);
    const world = { ...bare, file: await bare.icon(), waiting: invitee, colleague: await bare.join('sales') };
    const before = await rowsOf(world);
    const answer = await whileWaiting(
      app,
      (tx) => lockOrganization(tx, world.orgId),
      () => change(admin, world),
      (tx) =>
        tx
          .updateTable('memberships')
          .set({ role_id: world.roles.sales })
          .where('user_id', '=', admin.id)
          .execute(),
    );
    expect(answer.code).toBe('not_allowed');
    const after = await rowsOf(world);
    const isOthers = ({ user_id }: { user_id: number }) => user_id !== admin.id;
    expect({ ...after, members: after.members.filter(isOthers) }).toEqual({
      ...before,
      members: before.members.filter(isOthers),
    });
  });
});

test('a change succeeds if the admin is still an admin after the wait', async () => {
  const bare = await company(app);
  const admin = await bare.join('admin');
  await bare.join('superAdmin');
  const answer = await whileWaiting(
    app,
    (tx) => lockOrganization(tx, bare.orgId),
    () => admin.visitor.put('/api/orgs', { org_id: bare.orgId, name: 'In Time' }),
    async () => undefined,
  );
  expect(responseOf(answer)).toMatchObject({ OrgName: 'In Time' });
});
