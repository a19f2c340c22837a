import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { api } from './api.ts';
import * as areaFields from '#contract/split-by-bytes/area-fields.ts';
import * as fields from './fields.ts';
import { JSON_BODY_MAX_BYTES } from './limits.ts';

// Inputs that slow down patterns and normalization, as long as a body allows. One such line took ten seconds.
const units = ['1', '+1 ', 'a', 'a.', 'a-', 'a@', 'a ', ' ', '\u0301\u0323', 'https://a.', '🙂', 'ﷺ'];
const hostile = units
  .map((unit) => unit.repeat(JSON_BODY_MAX_BYTES / unit.length))
  .flatMap((text) => [`${text}!`, `a@${text}!`, `https://a.de/${text}"`]);

/** CPU time, so that a busy machine does not look like a slow pattern. */
function slowestMs(field: z.core.$ZodType): number {
  const times = hostile.map((text) => {
    const before = process.threadCpuUsage();
    z.safeDecode(field, text);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.max(...times);
}

const inputs = Object.values(api).flatMap((calls) =>
  Object.values(calls).flatMap(({ path, input }) => {
    const { shape } = (input as unknown as { def: { in: { shape: Record<string, z.core.$ZodType> } } }).def
      .in;
    return Object.entries(shape).map(([name, type]) => [`${path} ${name}`, type] as const);
  }),
);

test.for([...Object.entries(fields), ...Object.entries(areaFields), ...inputs])(
  '%s handles the longest bodies quickly',
  ([, field]) => {
    // The better of two, because the first run also compiles.
    expect(Math.min(slowestMs(field), slowestMs(field))).toBeLessThan(150);
  },
);

test('the test finds the inputs of all calls', () => expect(inputs.length).toBeGreaterThan(20));
