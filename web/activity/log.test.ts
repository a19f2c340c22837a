import { expect, test } from 'vitest';
import type { AuditLog } from '#contract/activity/calls.ts';
import type { Page } from './activity-queries.ts';
import { dayOf } from './days.ts';
import { logOf } from './log.ts';

let id = 0;
const row = (day: string, information: object = {}) =>
  ({ id: (id += 1), createdAt: new Date(`${day}T12:00:00Z`), information }) as AuditLog;
const page = (audit: AuditLog[], userNames: Record<string, string> = {}): Page => ({
  audit,
  userNames,
  roleInfo: {},
  next: null,
});

const first = page([row('2026-03-02'), row('2026-03-02'), row('2026-03-01')], { 7: 'Maya' });
const second = page([row('2026-03-01'), row('2026-02-27', { location: 'Oslo' })], { 7: 'Maya', 8: 'Tom' });
test('each day has one heading, even if a page ends in the middle of it', () => {
  const heads = (pages: Page[], zone: string) =>
    logOf(pages, zone, [])
      .lines.map((line) => ('day' in line ? dayOf(zone)(line.day) : '·'))
      .join(' ');
  expect(heads([first, second], 'UTC')).toBe('2026-03-02 · · 2026-03-01 · · 2026-02-27 ·');
  expect(heads([first], 'Pacific/Kiritimati')).toBe('2026-03-03 · · 2026-03-02 ·');
});

test('the log has the names of all pages, and credits a location on any of them', () => {
  expect(logOf([first], 'UTC', []).showsLocations).toBe(false);
  expect(logOf([first, second], 'UTC', [])).toMatchObject({
    names: { 7: 'Maya', 8: 'Tom' },
    showsLocations: true,
  });
});
