import { expect, test } from 'vitest';
import { ACTION } from './calls.ts';
import { detailsOf, fieldLabel, originText, valueText } from './words.ts';

test.each([
  ['first_name', 'First name'],
  ['sign.1.create', 'Document: Create'],
  ['sign.5.update', 'Contacts: Edit'],
  ['sign.9.update', 'sign.9.update'],
  ['something_new', 'something new'],
  ['constructor', 'constructor'],
])('the field %s is “%s”', (field, label) => expect(fieldLabel(field)).toBe(label));

test.each<[field: string, value: unknown, text: string]>([
  ['first_name', 'Maya', 'Maya'],
  ['first_name', '', 'nothing'],
  ['first_name', null, 'nothing'],
  ['employee_count', 0, '0'],
  ['is_admin', true, 'Yes'],
  ['is_admin', false, 'No'],
  ['status', 3, 'Inactive'],
  ['status', 9, '9'],
  ['social_sign_in', 'facebook', 'Facebook'],
  ['app_dark_icon', 'A'.repeat(43), 'an image'],
  ['due_at', '2026-03-02T09:00:00.000Z', 'on 2026-03-02'],
  ['list', ['a', 1, { b: true }], 'a, 1, Yes'],
])('%s: %j is “%s”', (field, value, text) => {
  expect(valueText(field, value, (moment) => `on ${moment.toISOString().slice(0, 10)}`)).toBe(text);
});

const detailsIn = (action: keyof typeof ACTION, information: Record<string, unknown>) =>
  detailsOf({ action: ACTION[action], information });

test('details are the changes, without a role that only names the row', () => {
  expect(detailsIn('delete', { role: 'Sales', name: ['Sales', null], moved: 2 })).toEqual([
    { label: 'Name', value: 'Sales' },
    { label: 'Members moved', value: '2' },
  ]);
  expect(detailsIn('update', { role: ['a', 'b'] })).toEqual([{ label: 'Role', before: 'a', value: 'b' }]);
});

test('a created or deleted value shows one side, a changed value shows both', () => {
  const designation = { label: 'Designation', before: 'nothing', value: 'Clerk' };
  expect(detailsIn('create', { location: [null, 'Berlin'] })).toEqual([
    { label: 'Location', value: 'Berlin' },
  ]);
  expect(detailsIn('delete', { browser: ['Chrome', null] })).toEqual([{ label: 'Browser', value: 'Chrome' }]);
  expect(detailsIn('update', { designation: ['', 'Clerk'] })).toEqual([designation]);
  expect(detailsIn('invite', { invitation_expires: ['a', 'b'] })[0]).toMatchObject({
    before: 'a',
    value: 'b',
  });
});

test('details follow the order of the forms, unnamed fields come last', () => {
  const stored = {
    role: [null, 'Sales'],
    email: [null, 'i'],
    last_name: [null, 'Duarte'],
    'sign.1.read': [null, true],
    first_name: [null, 'Ines'],
  };
  expect(detailsIn('invite', stored).map(({ label }) => label)).toEqual([
    'First name',
    'Last name',
    'Email address',
    'Role',
    'Document: Read',
  ]);
});

test.each([
  [{}, 'Chrome on macOS, Malmö, Sweden, 203.0.113.7'],
  [{ browser: 'Unknown' }, 'an unknown browser on macOS, Malmö, Sweden, 203.0.113.7'],
  [{ system: 'Unknown', location: 'Unknown' }, 'Chrome, 203.0.113.7'],
])('the origin of an act, with %j, is “%s”', (unknown, text) => {
  const origin = { browser: 'Chrome', system: 'macOS', location: 'Malmö, Sweden', ipAddress: '203.0.113.7' };
  expect(originText({ ...origin, ...unknown })).toBe(text);
});
