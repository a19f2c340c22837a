import { expect, test } from 'vitest';
import { groupOptions, optionsFor } from './prefix-filter.ts';

const sweden = { value: 'SE', label: 'Sweden' };
const stockholm = {
  value: 'Europe/Stockholm',
  label: '(UTC+01:00) Europe/Stockholm',
  alsoFoundBy: ['Stockholm'],
};

test.each([
  [['Sweden'], 'sWe', ['Sweden']],
  [['Sweden'], ' sw', ['Sweden']],
  [['Sweden'], 'den', []],
  [['Sweden'], '', ['Sweden']],
  // Pasted text counts in its plain form.
  [['Sweden'], '\u202AＳｗ\u200Beden\u00A0\u202C', ['Sweden']],
  [['Port\u2013au'], 'port-a', ['Port\u2013au']],
  // A word counts, and the beginning comes first.
  [['British Indian Ocean Territory', 'India', 'Iran'], 'in', ['India', 'British Indian Ocean Territory']],
  [['España'], 'Espana', ['España']],
  [['Côte d’Ivoire'], "cote d'i", ['Côte d’Ivoire']],
  [['الإمارات العربية المتحدة'], 'الامارات', ['الإمارات العربية المتحدة']],
  [['ألمانيا'], 'المانيا', ['ألمانيا']],
  [['ドイツ', 'ドミニカ国'], 'どい', ['ドイツ']],
])('%j has for %j the options %j', (labels, typed, found) => {
  const options = labels.map((label) => ({ value: label, label }));
  expect(optionsFor(options, typed).map(({ label }) => label)).toEqual(found);
});

test.each([
  ['stock', true],
  ['(utc+01', true],
  ['holm', false],
])('an option is found by its other names too: by %j %s', (typed, isFound) => {
  expect(optionsFor([stockholm], typed).length > 0).toBe(isFound);
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
