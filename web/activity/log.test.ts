import { expect, test } from 'vitest';
import type { AuditLog } from '#contract/activity/calls.ts';
import type { Page } from './activity-queries.ts';
import { logReader, withOpenRows } from './log.ts';

let id = 0;
const row = (day: string, information: object = {}) =>
  ({ id: (id += 1), createdAt: new Date(`${day}T12:00:00Z`), information }) as AuditLog;
const page = (audit: AuditLog[], userNames: Record<string, string> = {}): Page => ({
  audit,
  userNames,
  roleInfo: {},
  next: null,
});
const heads = ({ lines }: ReturnType<ReturnType<typeof logReader>>) =>
  lines.map((line) => ('day' in line ? line.day : '·')).join(' ');

const first = page([row('2026-03-02'), row('2026-03-02'), row('2026-03-01')], { 7: 'Maya' });
const second = page([row('2026-03-01'), row('2026-02-27', { location: 'Oslo' })], { 7: 'Maya', 8: 'Tom' });

test('each day has one heading, even if a page ends in the middle of it', () => {
  expect(heads(logReader('UTC')([first, second]))).toBe('2026-03-02 · · 2026-03-01 · · 2026-02-27 ·');
  expect(heads(logReader('Pacific/Kiritimati')([first]))).toBe('2026-03-03 · · 2026-03-02 ·');
});

test('reading a later page gives the same log as reading all pages at once', () => {
  const read = logReader('UTC');
  const before = read([first]);
  expect(before.showsLocations).toBe(false);
  const after = read([first, second]);
  expect(after).toEqual(logReader('UTC')([first, second]));
  expect(after.showsLocations).toBe(true);
  expect(after.names).toEqual({ 7: 'Maya', 8: 'Tom' });
  expect(before.lines).toHaveLength(5);
});

test('names keep their identity if none is new, so that rows need not render again', () => {
  const read = logReader('UTC');
  const { names } = read([second]);
  expect(read([second, page([row('2026-02-26')], { 8: 'Tom' })]).names).toBe(names);
});

test('different pages start a new log', () => {
  const read = logReader('UTC');
  read([first, second]);
  expect(heads(read([second]))).toBe('2026-03-01 · 2026-02-27 ·');
});

test('unfolding a line keeps all other lines the same objects', () => {
  const { lines } = logReader('UTC')([first]);
  const open = withOpenRows(lines, new Set([first.audit[1]?.id ?? 0]));
  expect(open.filter((line, at) => line !== lines[at])).toEqual([{ ...lines[2], isOpen: true }]);
});
