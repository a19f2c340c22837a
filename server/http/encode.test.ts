import * as z from 'zod/mini';
import { describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { members } from '#contract/members/calls.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { encoderOf } from './encode.ts';
import { exampleOf } from './examples.ts';

const calls: readonly Endpoint[] = Object.values(api).flatMap((feature) => Object.values(feature));
const examples = calls.map(
  (call) => [`${call.method} ${call.path}`, call.output, exampleOf(call.output)] as const,
);

/** Copies of a value, each with one field, at any depth, absent or null. */
function* variants(value: unknown): Generator {
  if (value === null || typeof value !== 'object') return;
  for (const [key, inner] of Object.entries(value)) {
    const put = (other: unknown): unknown =>
      Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other };
    yield put(undefined);
    yield put(null);
    for (const variant of variants(inner)) yield put(variant);
  }
}

describe('an answer is encoded as its schema encodes it, also where fields are absent or null', () => {
  test.for(examples)('%s', ([, output, example]) => {
    const results = [example, ...variants(example)].map((wire) => z.safeDecode(output, wire));
    for (const { data: value } of results.filter(({ success }) => success))
      expect(encoderOf(output)(value)).toEqual(z.encode(output, value));
  });
});

test('a field that the schema does not list is dropped', () => {
  const page = { members: [{ id: 1, secret: 'x' }], next: null, total: 1, superAdmins: 1, secret: 'x' };
  expect(encoderOf(members.list.output)(page)).toEqual({
    members: [{ id: 1 }],
    next: null,
    total: 1,
    super_admins: 1,
  });
});
