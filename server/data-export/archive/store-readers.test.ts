import { expect, test } from 'vitest';
import { ACTIVITY_TYPE } from '#contract/activity/calls.ts';
import { discover, enter, registerApplication } from '#server/testing/applications.ts';
import { archiveOf, rowsIn } from '#server/testing/archives.ts';
import { addPasskey, signInByPasskey } from '#server/testing/authenticator.ts';
import { colleague, confirmed, founder, invited, rolesOf } from '#server/testing/people.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp({ REAUTH_WINDOW_MINUTES: '60' });

type Row = Record<string, unknown>;
type Files = Record<string, Uint8Array>;

test('the log says in every archive what the screen says, so invited people have no id of an account (A16)', async () => {
  const [maya, stranger] = [await founder(app), await confirmed(app)];
  await invited(maya, { email: stranger.email });
  const { audit } = responseOf<{ audit: Row[] }>(
    await maya.visitor.get(`/api/auditlogs?org_id=${maya.orgId}`),
  );
  const screen = audit.find(({ activity_type: type }) => type === ACTIVITY_TYPE.invitedContact);
  expect(screen?.['record_id']).toBeGreaterThan(2 ** 48);
  for (const orgId of [undefined, maya.orgId]) {
    const rows = rowsIn(await archiveOf(app, maya, orgId), 'activity');
    expect(rows.find(({ activity_type: type }) => type === 'invitedContact')).toMatchObject({
      id: screen?.['id'],
      record_id: screen?.['record_id'],
    });
  }
});

test('a person’s archive is made and fetched by the rules of its organizations (W14)', async () => {
  const maya = await founder(app);
  responseOf(await signInByPasskey(maya.visitor, await addPasskey(maya.visitor, app.url)));
  const rule = (name: string) => maya.visitor.put('/api/orgs/secondstep', { org_id: maya.orgId, rule: name });
  const lena = await colleague(app, maya);
  const role_id = (await rolesOf(maya))['Super Admin'];
  const seen = { org_id: maya.orgId, user_id: lena.id, first_name: 'Lena', status: 2 };
  responseOf(await maya.visitor.put('/api/orgusers', { ...seen, role_id }));
  const of = (files: Files) =>
    Object.fromEntries(
      ['notifications', 'connected-applications', 'application-sign-ins', 'activity'].map((name) => [
        name,
        rowsIn(files, name).filter(({ org_id: id }) => id === maya.orgId).length > 0,
      ]),
    );
  await enter(lena.visitor, await discover(app, await registerApplication(app)), {
    scope: 'openid organization',
  });
  const all = {
    notifications: true,
    'connected-applications': true,
    'application-sign-ins': true,
    activity: true,
  };
  expect(of(await archiveOf(app, lena))).toEqual(all);

  responseOf(await rule('any'));
  const fetchAgain = () => lena.visitor.get('/api/dataexport/file');
  expect((await fetchAgain()).code).toBe('second_step_required');
  expect(Object.values(of(await archiveOf(app, lena)))).toEqual([false, false, false, false]);
  // The archive without the organization stays open to every session.
  expect((await lena.visitor.request('GET', '/api/dataexport/file')).status).toBe(200);

  responseOf(await rule('none'));
  expect(of(await archiveOf(app, lena))).toEqual(all);
  responseOf(await maya.visitor.put('/api/orgusers', { ...seen, role_id, status: 3 }));
  expect((await fetchAgain()).code).toBe('file_not_found');
  expect(responseOf(await lena.visitor.get('/api/dataexport'))).toMatchObject({ requested_at: null });
});
