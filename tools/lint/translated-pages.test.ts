import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';

const plugin = path.join(import.meta.dirname, 'translated-pages.js');
const parts: [name: string, jsx: string, isSafe: boolean][] = [
  ['a text alone', '<p>{text.lead}</p>', true],
  ['a text that changes alone', '<p>{isNew ? text.one : text.other}</p>', true],
  ['a text beside an element that stays', '<p>{text.lead} <b>new</b></p>', true],
  ['conditional elements side by side', '<p>{isNew && <b>new</b>}<i>{text.lead}</i></p>', true],
  ['a text behind a conditional element', '<p>{isNew && <b>new</b>} {text.lead}</p>', false],
  ['words before one', '<p>Hello {isNew && <b>new</b>}</p>', false],
  ['a text that goes, beside an element', '<p>{isNew && text.lead}<b>new</b></p>', false],
  [
    'a text behind a list',
    '<p>{names.map((name) => <b key={name}>{name}</b>)} {pageText.people({ count })}</p>',
    false,
  ],
  [
    'a text in a fragment behind a conditional element',
    '<p>{isNew && <b>new</b>}<>{text.lead}</></p>',
    false,
  ],
];

test('finds texts that React cannot move on a translated page', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'lint-'));
  const config = {
    jsPlugins: [plugin],
    categories: { correctness: 'off' },
    rules: { 'portico/translated-pages': 'error' },
  };
  writeFileSync(path.join(folder, '.oxlintrc.json'), JSON.stringify(config));
  for (const [name, jsx] of parts)
    writeFileSync(path.join(folder, `${name}.tsx`), `export const part = ${jsx};`);
  const { stdout } = spawnSync(path.resolve('node_modules/.bin/oxlint'), ['--format', 'unix', folder], {
    encoding: 'utf8',
  });
  expect(parts.map(([name]) => [name, !stdout.includes(`${name}.tsx`)])).toEqual(
    parts.map(([name, , isSafe]) => [name, isSafe]),
  );
  rmSync(folder, { recursive: true });
});
