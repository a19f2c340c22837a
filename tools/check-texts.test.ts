import { expect, test } from 'vitest';
import { checkTexts } from './check-texts.ts';

const linesOf = (jsx: string) =>
  checkTexts(new Map([['web/a.tsx', `const view = (\n${jsx}\n);\n`]])).map(({ line }) => line);

test.for([
  ['<p>{busy && <i />}{children}</p>', 1],
  ['<p>{busy && <i />}words</p>', 1],
  ['<p>{busy && <i />} {name}</p>', 1],
  ['<Button>{busy ? <i /> : <b />}{text.save}</Button>', 1],
  ['<>{list.map((one) => <i key={one} />)}{`${count} people`}</>', 1],
  ['<p>{isNew && "New"}<b /></p>', 1],
  ['<p>{icon}{fill(text.open, { app })}</p>', 1],
  ['<p>{a && <i />}{b || text.none}</p>', 1],
] as const)('%s needs an element around its text', ([jsx, count]) => {
  expect(linesOf(jsx)).toHaveLength(count);
});

test.for([
  '<p>{busy && <i />}<span>{children}</span></p>',
  '<p>{busy ? text.busy : text.save}</p>',
  '<p>words <a href="/">more</a> words</p>',
  '<p>{busy && <i />}{/* why */}{more ? <b /> : null}</p>',
  '<p>{error && <i />}{drawRows(rows)}{list.map((one) => <i key={one} />)}</p>',
  '<p>{icon}\n  <span>{children}</span>\n</p>',
])('%s survives a translation', (jsx) => {
  expect(linesOf(jsx)).toEqual([]);
});

test('a finding names the line of the text', () => {
  expect(linesOf('<p>\n  {busy && <i />}\n  {children}\n</p>')).toEqual([4]);
});
