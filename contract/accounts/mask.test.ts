import { expect, it } from 'vitest';
import { maskEmail } from './mask.ts';

it.each([
  ['maya@northwind.io', 'm•••@northwind.io'],
  ['jo@northwind.io', 'j•••@northwind.io'],
  ['j@northwind.io', '•••@northwind.io'],
  ['a.very.long.name@mail.example.org', 'a•••@mail.example.org'],
  ['"odd@name"@example.org', '"•••@example.org'],
  ['𝒶da@example.org', '𝒶•••@example.org'],
  ['@example.org', '•••'],
  ['no address', '•••'],
  ['', '•••'],
])('masks %s as %s', (email, masked) => {
  expect(maskEmail(email)).toBe(masked);
});
