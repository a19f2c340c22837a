import { expect, test } from 'vitest';
import { PRODUCT_NAME } from '#contract/limits.ts';
import { discover, enter, registerApplication } from '#server/testing/applications.ts';
import { addPasskey, signInByPasskey } from '#server/testing/authenticator.ts';
import { founder } from '#server/testing/people.ts';
import { roleIdOf, staff } from '#server/testing/staff.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp();

test('a call that names no organization shows nothing of one that the session may not enter (W14)', async () => {
  const boss = await founder(app);
  responseOf(await signInByPasskey(boss.visitor, await addPasskey(boss.visitor, app.url)));
  const member = await staff(app, boss.orgId, 'Admin');
  const { visitor } = member;
  const setRule = (rule: string) => boss.visitor.put('/api/orgs/secondstep', { org_id: boss.orgId, rule });
  const role_id = await roleIdOf(app, boss.orgId, 'Super Admin');
  const user_id = member.id;
  const change = {
    org_id: boss.orgId,
    user_id,
    first_name: 'Tom',
    last_name: '',
    designation: '',
    role_id,
    status: 2,
  };
  responseOf(await boss.visitor.put('/api/orgusers', change));
  await enter(visitor, await discover(app, await registerApplication(app)), { scope: 'openid organization' });
  const shown = async () => {
    const panel = responseOf<{ notifications: { kind: string }[]; unread: number }>(
      await visitor.get('/api/notifications'),
    );
    const connected = responseOf<{ id: number }[]>(await visitor.get('/api/applications/connected'));
    const [{ ApplicationName: name } = {}] = responseOf<{ ApplicationName?: string }[]>(
      await visitor.get('/api/orgs'),
    );
    return { kinds: panel.notifications.map(({ kind }) => kind), unread: panel.unread, connected, name };
  };
  const open = await shown();
  expect(open).toMatchObject({ kinds: ['role_changed'], unread: 1, connected: [{}], name: PRODUCT_NAME });
  responseOf(await setRule('any'));
  await app.mails();
  expect(await shown()).toEqual({ kinds: ['second_step_asked'], unread: 1, connected: [], name: '' });
  const [{ id } = { id: 0 }] = open.connected;
  responseOf(await visitor.delete('/api/applications/connected', { id }));
  responseOf(await setRule('none'));
  expect((await shown()).connected).toEqual(open.connected);
});
