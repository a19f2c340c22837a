import { existsSync, globSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { buckets } from '#server/db/limiter.ts';
import { acts } from '#contract/operator/acts.ts';

const root = path.join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'docs/operating.md',
  'docs/account-taken-over.md',
  'docs/migrations.md',
  'docs/performance.md',
  'docs/reliability.md',
  'docs/scaling.md',
  'docs/map.md',
  'docs/security.md',
  'docs/style.md',
  'docs/applications.md',
  'docs/company-sign-in.md',
  'docs/languages.md',
  ...readdirSync(path.join(root, 'docs/decisions')).map((name) => `docs/decisions/${name}`),
];
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

describe('settings', () => {
  const source = read('server/config.ts');
  const names = [...source.matchAll(/\bread\('([A-Z_]+)'/g)].map(([, name]) => name ?? '');
  // One reader serves two providers.
  const parts = [...source.matchAll(/\bread\(`\$\{name\}(_[A-Z_]+)`/g)].map(([, part]) => part ?? '');
  const settings = read('README.md').split('## Settings')[1]?.split('\n## ')[0] ?? '';

  test('are found in the code', () => {
    expect(names.length).toBeGreaterThan(25);
    expect(parts).toContain('_CLIENT_ID');
  });
  test.each(names)('%s is in the table', (name) => expect(settings).toContain(name));
  test.each(parts)('…%s is in the table', (part) => expect(settings).toContain(part));

  test('the table and the guide name no other setting', () => {
    const mentions = `${settings} ${read('docs/operating.md')}`.match(/\b[A-Z]+(_[A-Z]+)+\b/g) ?? [];
    const ofProviders = parts.flatMap((part) => [`FACEBOOK${part}`, `GOOGLE${part}`, part.slice(1)]);
    // Node and sudo set them.
    const ofOthers = ['NODE_EXTRA_CA_CERTS', 'SUDO_USER'];
    const settingNames = new Set([
      ...ofOthers,
      ...names,
      ...ofProviders,
      ...names.map((name) => `${name}_FILE`),
    ]);
    expect([...new Set(mentions)].filter((name) => !settingNames.has(name))).toEqual([]);
  });
});

describe.each(documents)('%s', (file) => {
  const text = read(file);
  test('names only existing scripts, commands and files', () => {
    const scriptNames = [...text.matchAll(/npm run ([\w-]+)/g)].map(([, name]) => name ?? '');
    expect(scriptNames.filter((name) => !(name in scripts))).toEqual([]);
    const commandMentions = [...text.matchAll(/operator -- ([a-z][\w-]*)( [a-z][\w-]*)?/g)];
    const isCommand = ([, first = '', second = '']: readonly (string | undefined)[]) =>
      first in acts || first + second in acts;
    expect(commandMentions.filter((words) => !isCommand(words))).toEqual([]);
    const additions = text.match(/operator -- applications add(?:[^\\\n]|\\\n)*/g) ?? [];
    const options = additions.flatMap((words) =>
      [...words.matchAll(/ --([a-z-]+)/g)].map(([, name]) => name),
    );
    expect(Object.keys(acts['applications add'].options ?? {})).toEqual(expect.arrayContaining(options));
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, to]) => to ?? '');
    expect(links.filter((to) => !existsSync(path.join(root, path.dirname(file), to)))).toEqual([]);
  });
});

test('each limit in the code has a row in the table of budgets, and the table names no other', () => {
  const table = read('docs/security.md').split('## N: budgets')[1]?.split('\n## ')[0] ?? '';
  const firstCells = [...table.matchAll(/^\| (`[^|]+`) *\|/gm)].map(([, cell]) => cell ?? '');
  const names = firstCells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name ?? ''));
  expect(names.toSorted()).toEqual(Object.keys(buckets).toSorted());
});

test('each row of attacks and faults is named by a test', () => {
  const ids = [...read('docs/security.md').matchAll(/^- \*\*([A-Z]\d+)\*\*/gm)].map(([, id]) => id ?? '');
  expect(ids.length).toBeGreaterThan(100);
  const files = globSync(
    ['{server,tools,contract,web,drill}/**/*.test.ts', 'e2e/*.e2e.ts', 'server/testing/*.ts'],
    {
      cwd: root,
    },
  );
  const named = new Set(files.flatMap((file) => read(file).match(/\b[A-Z]\d+\b/g) ?? []));
  expect(ids.filter((id) => !named.has(id))).toEqual([]);
});

test('each test that stands for a drill exists', () => {
  const rows = read('docs/reliability.md').split('## Rows that tests')[1] ?? '';
  const names = [...rows.matchAll(/`([\w-]+(?:\/[\w{},-]+)*)`/g)].map(([, name]) => name ?? '');
  expect(names.length).toBeGreaterThan(15);
  const found = (name: string) => globSync(`{server/,}${name}.test.ts`, { cwd: root }).length > 0;
  expect(names.filter((name) => !found(name))).toEqual([]);
});

test('each limit by network is in the guide to sizing', () => {
  const sizing =
    read('docs/scaling.md').split('## Many people behind one address')[1]?.split('\n## ')[0] ?? '';
  const byNetwork = Object.entries(buckets).filter(
    ([name, bucket]) => 'byAddress' in bucket && name !== 'disclosureSystemHour',
  );
  expect(
    byNetwork.filter(([name, { most }]) => !sizing.includes(`\`${name}\``) || !sizing.includes(String(most))),
  ).toEqual([]);
});

test('each trigger is named at the head of the schema', () => {
  const schema = read('server/db/migrations/0001_schema.sql');
  const [head = ''] = schema.split(/^create /m);
  const triggers = [...schema.matchAll(/^create (?:constraint )?trigger (\w+)/gm)].map(
    ([, name]) => name ?? '',
  );
  expect(triggers.length).toBeGreaterThan(15);
  expect(triggers.filter((name) => !new RegExp(`\\b${name}\\b`).test(head))).toEqual([]);
});

test('every script is documented', () => {
  const text = documents.map(read).join('\n');
  const untold = Object.keys(scripts).filter(
    (name) => !text.includes(`npm run ${name}`) && !text.includes(`npm ${name}`),
  );
  expect(untold).toEqual([]);
});

test('the documented reasons of a refused start exist in the code', () => {
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

test('all documents together stay short enough to be read', () => {
  // The drill writes its own table of figures, and tests run the examples.
  const prose = (file: string) =>
    read(file)
      .replace(/<!-- figures.*<!-- end of the figures -->/s, '')
      .replaceAll(/^```.*?^```$/gms, '');
  const words = documents.flatMap((file) => prose(file).match(/\S*[A-Za-z0-9]\S*/g) ?? []);
  expect(words.length).toBeLessThanOrEqual(20_400);
});
