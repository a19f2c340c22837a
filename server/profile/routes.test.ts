import { expect, test } from 'vitest';
import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity.ts';
import { areaFieldText } from '#contract/text/area-fields.ts';
import { fieldText } from '#contract/text/fields.ts';
import { serverFieldText } from '#contract/text/server-fields.ts';
import type { UserId } from '#contract/wire.ts';
import { confirmed, founder, PASSWORD } from '#server/testing/people.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp();

const rowsOf = (userId: number) =>
  app.deps.sql
    .selectFrom('activity')
    .selectAll()
    .where('user_id', '=', userId as UserId)
    .orderBy('id', 'desc')
    .execute();

test('changed fields are stored, omitted ones stay, and the log has old and new', async () => {
  const { visitor, id, orgId } = await founder(app);
  const answer = await visitor.put('/api/user', {
    first_name: 'Maj',
    designation: 'Head of Operations',
    org_id: orgId,
  });
  const user = {
    first_name: 'Maj',
    last_name: 'Lindqvist',
    full_name: 'Maj Lindqvist',
    designation: 'Head of Operations',
    user_role: 'Super Admin',
  };
  expect(responseOf(answer)).toMatchObject(user);
  expect(responseOf(await visitor.get(`/api/user?org_id=${orgId}`))).toMatchObject(user);
  expect((await rowsOf(id))[0]).toMatchObject({
    org_id: orgId,
    module: MODULE.profile,
    activity_type: ACTIVITY_TYPE.profileInformation,
    action: ACTION.update,
    record_id: id,
    information: { first_name: ['Maya', 'Maj'], designation: ['', 'Head of Operations'] },
  });
});

test('a change of names reaches every membership', async () => {
  const { visitor } = await founder(app);
  responseOf(await visitor.put('/api/user', { first_name: 'Maj', last_name: '', designation: 'Lead' }));
  expect(responseOf(await visitor.get('/api/init'))).toMatchObject({
    organizations_users: [{ first_name: 'Maj', last_name: '', designation: 'Lead' }],
  });
});

test('equal values are no change and write nothing', async () => {
  const { visitor, id } = await founder(app);
  const before = (await rowsOf(id)).length;
  const answer = await visitor.put('/api/user', { first_name: ' Maya ', last_name: 'Lindqvist' });
  expect([answer.status, answer.code, answer.body.error?.details]).toEqual([409, 'no_changes', 'No changes']);
  expect(await rowsOf(id)).toHaveLength(before);
});

test.each([
  [{ first_name: '' }, { first_name: fieldText.required }],
  [{}, { first_name: fieldText.required }],
  [{ first_name: 'M"aya' }, { first_name: areaFieldText.generalText }],
  [{ first_name: 'Maya', last_name: "O'Brien" }, { last_name: areaFieldText.generalText }],
  [{ first_name: 'Maya\r\nBcc: x' }, { first_name: areaFieldText.hidden }],
  [{ first_name: 'x'.repeat(81) }, { first_name: 'Please use at most 80 characters.' }],
  [{ first_name: 'Maya', country: 'Atlantis' }, { country: areaFieldText.country }],
  [{ first_name: 'Maya', time_zone: 'Mars/Olympus' }, { time_zone: areaFieldText.timeZone }],
  [{ first_name: 'Maya', email: 'a@b.example' }, { email: serverFieldText.unknownField }],
  [
    { first_name: 'Maya', user_role: 'Super Admin', id: 1 },
    { user_role: serverFieldText.unknownField, id: serverFieldText.unknownField },
  ],
  [{ first_name: 7 }, { first_name: fieldText.wrongType }],
])('refuses %o and changes nothing', async (body, fields) => {
  const { visitor } = await founder(app);
  const answer = await visitor.put('/api/user', body);
  expect([answer.status, answer.code, answer.body.error?.fields]).toEqual([422, 'invalid_input', fields]);
  expect(responseOf(await visitor.get('/api/user'))).toMatchObject({
    first_name: 'Maya',
    last_name: 'Lindqvist',
  });
});

test.each([
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Europe/Stockholm', 'Europe/Stockholm'],
])('the zone %s is stored as %s', async (typed, stored) => {
  const { visitor } = await confirmed(app);
  responseOf(await visitor.put('/api/user', { first_name: 'Maya', time_zone: typed }));
  expect(responseOf(await visitor.get('/api/user'))).toMatchObject({ time_zone: stored });
});

test.each([
  ['x', 400, 'org_id_invalid'],
  [1.5, 400, 'org_id_invalid'],
  ['1', 400, 'org_id_invalid'],
  [999_999, 404, 'org_not_found'],
])('org_id %o answers %d %s', async (orgId, status, code) => {
  const { visitor } = await confirmed(app);
  const answer = await visitor.put('/api/user', { first_name: 'Maya', org_id: orgId });
  expect([answer.status, answer.code]).toEqual([status, code]);
});

test('a change is still there after signing out and in again', async () => {
  const { visitor, email } = await founder(app);
  responseOf(await visitor.put('/api/user', { first_name: 'Maj' }));
  responseOf(await visitor.delete('/api/logout'));
  responseOf(await visitor.post('/api/signin', { email_id: email, password: PASSWORD, timezone: '' }));
  expect(responseOf(await visitor.get('/api/user'))).toMatchObject({ first_name: 'Maj' });
});
