import { readdirSync } from 'node:fs';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { fill } from '#contract/text.ts';

describe('fill', () => {
  test('fills every occurrence of a placeholder', () => {
    expect(fill('Hello {name}', { name: 'Ann' })).toBe('Hello Ann');
    expect(fill('{a} and {a}, then {b}', { a: 1, b: 'two' })).toBe('1 and 1, then two');
    expect(fill('{empty}|{zero}', { empty: '', zero: 0 })).toBe('|0');
    expect(fill('nothing to fill')).toBe('nothing to fill');
  });

  test('inserts values literally', () => {
    expect(fill('{a}{b}', { a: '{b}', b: '$& $1' })).toBe('{b}$& $1');
    expect(fill('{a} { a } {} {a-b}' as '{a}', { a: 'x' })).toBe('x { a } {} {a-b}');
  });

  test('isolates a value that is written from right to left, so that it reorders no text around it', () => {
    expect(fill('Remove {name} (role {role})?', { name: 'דנה', role: 'Admin' })).toBe(
      'Remove \u2068דנה\u2069 (role Admin)?',
    );
  });

  test('a placeholder without a value stays, so that the mistake shows', () => {
    const unknownToTheCompiler: string = 'Hello {name}';
    expect(fill(unknownToTheCompiler)).toBe('Hello {name}');
  });

  test('the compiler asks for exactly the placeholders of the template', () => {
    type ValuesOf<T extends string> = Parameters<typeof fill<T>>[1];
    expectTypeOf<ValuesOf<'Hi {name}'>>().toEqualTypeOf<Record<'name', string | number>>();
    expectTypeOf<ValuesOf<'{a} and {b} and {a}'>>().toEqualTypeOf<Record<'a' | 'b', string | number>>();
    expectTypeOf<Parameters<typeof fill<'plain'>>>().toEqualTypeOf<[template: 'plain']>();
    expectTypeOf<{ nmae: string }>().not.toExtend<ValuesOf<'Hi {name}'>>();
    expectTypeOf<undefined>().not.toExtend<ValuesOf<'Hi {name}'>>();
  });
});

const folder = `${import.meta.dirname}/text`;
const catalogues = await Promise.all(
  readdirSync(folder).map(async (file) => [file, (await import(`${folder}/${file}`)) as object] as const),
);
const textsOf = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(value as object).flatMap(textsOf);

test.each(catalogues)('%s holds whole texts with well-formed placeholders', (_, catalogue) => {
  const texts = textsOf(catalogue);
  expect(texts.length).toBeGreaterThan(0);
  const odd = texts.filter(
    (text) => text.trim() !== text || text === '' || /[{}]/.test(text.replace(/\{[a-z]\w*\}/gi, '')),
  );
  expect(odd).toEqual([]);
});
