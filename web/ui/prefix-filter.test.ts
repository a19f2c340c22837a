import { expect, test } from 'vitest';
import { beginsWith, groupOptions } from './prefix-filter.ts';

const sweden = { value: 'SE', label: 'Sweden' };
const stockholm = {
  value: 'Europe/Stockholm',
  label: '(UTC+01:00) Europe/Stockholm',
  alsoFoundBy: ['Stockholm'],
};

test('the beginning counts, case and outer spaces do not', () => {
  expect(beginsWith(sweden, 'sWe')).toBe(true);
  expect(beginsWith(sweden, ' sw')).toBe(true);
  expect(beginsWith(sweden, '')).toBe(true);
  expect(beginsWith(sweden, 'den')).toBe(false);
});

test('pasted text counts in its plain form', () => {
  expect(beginsWith(sweden, '\u202AＳｗ\u200Beden\u00A0\u202C')).toBe(true);
  expect(beginsWith({ value: 'PW', label: 'Port\u2013au' }, 'port-a')).toBe(true);
});

test('an option is found by its other names too', () => {
  expect(beginsWith(stockholm, 'stock')).toBe(true);
  expect(beginsWith(stockholm, '(utc+01')).toBe(true);
  expect(beginsWith(stockholm, 'holm')).toBe(false);
});

test('groups keep the order of their first option', () => {
  const rome = { value: 'rome', label: 'Rome', group: 'Europe' };
  const lima = { value: 'lima', label: 'Lima', group: 'America' };
  const oslo = { value: 'oslo', label: 'Oslo', group: 'Europe' };
  expect(groupOptions([rome, lima, oslo])).toEqual([
    { value: 'Europe', items: [rome, oslo] },
    { value: 'America', items: [lima] },
  ]);
  expect(groupOptions([sweden])).toEqual([sweden]);
});
