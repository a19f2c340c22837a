import { expect, test } from 'vitest';
import { checkCircles } from './check-circles.ts';

const check = (files: Record<string, string>) => checkCircles(new Map(Object.entries(files)));

test('a circle of imports is found, of types as well', () => {
  const files = {
    'web/app/a.ts': `import { b } from './b.ts';`,
    'web/app/b.ts': `import type { C } from '#contract/c.ts';`,
    'contract/c.ts': `export * from '#web/app/a.ts';`,
    'web/app/outside.ts': `import { a } from './a.ts'; import { b } from './b.ts'; import react from 'react';`,
  };
  expect(check(files)).toEqual([
    {
      file: 'web/app/a.ts',
      line: 1,
      message: 'stands in a circle of imports: web/app/a.ts → web/app/b.ts → contract/c.ts → web/app/a.ts.',
    },
  ]);
});

test('a late import may lead back', () => {
  const files = { 'web/app/a.ts': `import('./b.ts');`, 'web/app/b.ts': `import './a.ts'; import './b.css';` };
  expect(check(files)).toEqual([]);
});
