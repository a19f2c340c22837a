import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { commands } from './operator/commands.ts';

const root = path.join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'docs/operating.md',
  'docs/migrations.md',
  'docs/performance.md',
  'docs/reliability.md',
  'docs/scaling.md',
  'docs/map.md',
  'docs/security.md',
  'docs/style.md',
];
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

describe('settings', () => {
  const source = read('server/config.ts');
  const named = [...source.matchAll(/\bread\('([A-Z_]+)'/g)].map(([, name]) => name ?? '');
  // One reader for two providers.
  const parts = [...source.matchAll(/\bread\(`\$\{name\}(_[A-Z_]+)`/g)].map(([, part]) => part ?? '');
  const settings = read('README.md').split('## Settings')[1]?.split('\n## ')[0] ?? '';

  test('are found in the code', () => {
    expect(named.length).toBeGreaterThan(25);
    expect(parts).toContain('_CLIENT_ID');
  });
  test.each(named)('%s stands in the table', (name) => expect(settings).toContain(name));
  test.each(parts)('…%s stands in the table', (part) => expect(settings).toContain(part));

  test('the table and the guide tell of no other', () => {
    const told = `${settings} ${read('docs/operating.md')}`.match(/\b[A-Z]+(_[A-Z]+)+\b/g) ?? [];
    const ofProviders = parts.flatMap((part) => [`FACEBOOK${part}`, `GOOGLE${part}`, part.slice(1)]);
    const known = new Set([...named, ...ofProviders, ...named.map((name) => `${name}_FILE`)]);
    expect([...new Set(told)].filter((name) => !known.has(name))).toEqual([]);
  });
});

describe.each(documents)('%s', (file) => {
  const text = read(file);
  test('names only scripts, commands and files that are there', () => {
    const asked = [...text.matchAll(/npm run ([\w-]+)/g)].map(([, name]) => name ?? '');
    expect(asked.filter((name) => !(name in scripts))).toEqual([]);
    const operated = [...text.matchAll(/operator -- ([a-z][\w-]*)/g)].map(([, name]) => name ?? '');
    expect(operated.filter((name) => !(name in commands))).toEqual([]);
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, to]) => to ?? '');
    expect(links.filter((to) => !existsSync(path.join(root, path.dirname(file), to)))).toEqual([]);
  });
});

test('every script is told of', () => {
  const text = documents.map(read).join('\n');
  const untold = Object.keys(scripts).filter(
    (name) => !text.includes(`npm run ${name}`) && !text.includes(`npm ${name}`),
  );
  expect(untold).toEqual([]);
});

test('what is said to be refused at the start is what is refused', () => {
  const sources = [
    'server/open.ts',
    'server/main.ts',
    'server/config.ts',
    'server/keys.ts',
    'server/db/lock.ts',
    'server/db/migrate.ts',
    'tools/run.mjs',
  ]
    .map(read)
    .join('\n');
  const rows =
    read('docs/operating.md')
      .split('## When it does not start')[1]
      ?.match(/^\| `[^`]+`/gm) ?? [];
  expect(rows.length).toBeGreaterThan(8);
  for (const row of rows) {
    const parts = row
      .slice(3, -1)
      .split(/…|NAME|\bN\b/)
      .map((part) => part.trim());
    for (const part of parts.filter((one) => one.length > 3)) expect(sources).toContain(part);
  }
});
