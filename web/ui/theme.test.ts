import { expect, test } from 'vitest';
import { themeCookie } from './theme.ts';

test('a choice is kept for a year', () => {
  expect(themeCookie('dark', false)).toBe('portico-theme=dark; path=/; max-age=31536000; SameSite=Lax');
});

test('choosing the system’s theme deletes the cookie', () => {
  expect(themeCookie('system', true)).toBe('portico-theme=system; path=/; max-age=0; SameSite=Lax; Secure');
});
