import { expect, test } from 'vitest';
import { mailboxOf } from './rules.ts';

test.each([
  ['ann@example.com', 'ann@example.com'],
  ['ann+1@example.com', 'ann@example.com'],
  ['ann+1+2@example.com', 'ann@example.com'],
  ['a.n.n@example.com', 'a.n.n@example.com'],
  ['a.n.n+1@gmail.com', 'ann@gmail.com'],
  ['ann@googlemail.com', 'ann@gmail.com'],
  ['+1@example.com', '+1@example.com'],
  ['.+1@gmail.com', '.@gmail.com'],
])('the mailbox of %s is %s', (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox);
});
