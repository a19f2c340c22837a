import * as z from 'zod/mini';
import { describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { members } from '#contract/members.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { encoderOf } from '#server/http/encode.ts';
import { exampleOf } from '#server/http/examples.ts';

const calls: readonly Endpoint[] = Object.values(api).flatMap((feature) => Object.values(feature));
const examples = calls
  .map((call) => [`${call.method} ${call.path}`, call.output, exampleOf(call.output)] as const)
  .filter(([, , example]) => example !== undefined);

describe('an answer is encoded as its schema encodes it', () => {
  test.for(examples)('%s', ([, output, example]) => {
    const value = z.decode(output, example);
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
