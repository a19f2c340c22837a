import { expect, it } from 'vitest';
import { supportState, zoneIn } from './support-state.ts';

const now = new Date('2026-11-21T12:00:00Z');

it.each([
  ['', { kind: 'contact' }],
  ['?reason=other&until=2026-12-01T00:00:00Z', { kind: 'contact' }],
  [
    '?reason=deactivated&until=2027-01-20T12:00:00.000Z',
    { kind: 'deactivated', until: new Date('2027-01-20T12:00:00Z'), daysLeft: 60 },
  ],
  [
    '?reason=deactivated&until=2026-11-21T13:00:00Z',
    { kind: 'deactivated', until: new Date('2026-11-21T13:00:00Z'), daysLeft: 1 },
  ],
  ['?reason=deactivated&until=2026-11-21T12:00:00Z', { kind: 'erased' }],
  ['?reason=deactivated', { kind: 'deactivated', until: undefined, daysLeft: 0 }],
  ['?reason=restricted&until=soon', { kind: 'restricted', until: undefined }],
  [
    '?reason=restricted&until=2026-11-22T09:30:00Z',
    { kind: 'restricted', until: new Date('2026-11-22T09:30:00Z') },
  ],
  ['?reason=restricted&until=2026-11-21T12:00:00Z', { kind: 'unlocked' }],
])('reads %s', (search, state) => {
  expect(supportState(search, now)).toEqual(state);
});

it.each([
  ['?reason=deactivated&zone=Europe%2FStockholm', 'Europe/Stockholm'],
  ['?zone=Not%2FAZone', null],
  ['?zone=', null],
  ['', null],
])('the zone in %s is %s', (search, zone) => {
  expect(zoneIn(search)).toBe(zone);
});
