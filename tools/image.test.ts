import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { imageFiles } from './image.ts';

const root = path.join(import.meta.dirname, '..');
const files = new Set(imageFiles());
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
};

/** The code that a file needs at run time: imports of values, and files of its own folder that it starts. */
const namedIn = (file: string) => {
  const text = readFileSync(path.join(root, file), 'utf8');
  const imports = text.matchAll(
    /(?:^(?:import|export)\b(?! type\b)[^'";=]*\bfrom |^import |\bimport\()'([^']+)'/gm,
  );
  const startedFiles = text.matchAll(/path\.join\(import\.meta\.dirname, '([\w-]+\.ts)'\)/g);
  return [
    ...[...imports].map(([, name]) => name ?? ''),
    ...[...startedFiles].map(([, name]) => `./${name ?? ''}`),
  ];
};
const fileOf = (name: string, from: string) =>
  name.startsWith('#') ? name.slice(1) : path.join(path.dirname(from), name);

test('the image has every file that the portal and the operator’s commands need', () => {
  const entries = new Set(['tools/serve.mjs', 'server/main.ts', 'tools/ready.ts', 'tools/operator.ts']);
  const packages = new Set<string>();
  for (const file of entries) {
    if (!existsSync(path.join(root, file))) continue;
    for (const name of namedIn(file)) {
      if (/^[#.]/.test(name)) entries.add(fileOf(name, file));
      else if (!name.startsWith('node:')) packages.add(/^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name);
    }
  }
  expect(entries.size).toBeGreaterThan(150);
  expect(entries).toContain('server/image-worker.ts');
  const isBuilt = (file: string) => file.startsWith('words/');
  expect([...entries].filter((file) => !files.has(file) && !isBuilt(file))).toEqual([]);
  expect(packages.size).toBeGreaterThan(10);
  expect([...packages].filter((name) => !(name in manifest.dependencies))).toEqual([]);
});

test('the image has the migrations, and no tests, other tools or sources of the pages', () => {
  expect([...files]).toContain('server/db/migrations/0001_schema.sql');
  expect([...files].filter((file) => /\.test\.|\/testing\/|^web\/|^e2e\/|^bench\//.test(file))).toEqual([]);
  const tools = [...files].filter((file) => file.startsWith('tools/') && !file.startsWith('tools/operator'));
  expect(tools).toEqual(['tools/serve.mjs', 'tools/ready.ts']);
});

test('a package that only the pages need is a build dependency', () => {
  const sources = [...files].map((file) => readFileSync(path.join(root, file), 'utf8')).join('\n');
  // Some are loaded by name at run time, or appear in a path.
  expect(Object.keys(manifest.dependencies).filter((name) => !sources.includes(name))).toEqual([]);
});

test.each(['Dockerfile', 'portico.service', 'portico@.service'])(
  'deploy/%s has the memory settings of `npm start`',
  (file) => {
    const starter = readFileSync(path.join(root, 'tools/run.mjs'), 'utf8');
    const names = [...starter.matchAll(/\benv\.(\w+) \?\?=/g)].map(([, name]) => name ?? '');
    expect(names).toHaveLength(3);
    const text = readFileSync(path.join(root, 'deploy', file), 'utf8');
    expect(names.filter((name) => !text.includes(`${name}=`))).toEqual([]);
  },
);
