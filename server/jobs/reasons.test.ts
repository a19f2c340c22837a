import { expect, test } from 'vitest';
import { reasonOf } from './reasons.ts';

test.each<[thrown: unknown, reason: string]>([
  [
    new Error('450 4.2.0 <victim@northwind.example>: Greylisted'),
    '450 4.2.0 <v•••@northwind.example>: Greylisted',
  ],
  [new Error('to=a.b+c@x.example, b@y.example.'), 'to=a•••@x.example, •••@y.example.'],
  [new Error('550 no\0such\r\nuser\ud800'), '550 no such user '],
  [new Error('x'.repeat(600)), 'x'.repeat(500)],
  ['plain words', 'plain words'],
  [null, 'null'],
  [undefined, 'undefined'],
])('%j is recorded as “%s”', (thrown, reason) => expect(reasonOf(thrown)).toBe(reason));
