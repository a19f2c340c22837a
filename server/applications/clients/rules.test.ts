import { expect, test } from 'vitest';
import { hostOf } from '#server/applications/clients/rules.ts';

test.for([
  ['https://books.example/callback', 'books.example'],
  ['https://books.example:8443/callback', 'books.example:8443'],
  ['http://localhost:4000/callback', null],
  ['http://127.0.0.1:51204/', null],
  ['http://[::1]:51204/', null],
  ['https://localhost.example/', 'localhost.example'],
] as const)('an answer to %s goes to %s', ([address, host]) => {
  expect(hostOf(address)).toBe(host);
});
