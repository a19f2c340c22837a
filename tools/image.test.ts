import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '..');
function copiedPaths(): string[] {
  const dockerfile = readFileSync(path.join(root, 'deploy/Dockerfile'), 'utf8');
  const stage = /^FROM \S+ AS portal$([^]*?)^FROM /m.exec(dockerfile)?.[1] ?? '';
  return [...stage.matchAll(/^COPY (?!--from)(\S+) \S+$/gm)].map(([, from]) => from ?? '');
}

/** The last matching line decides, and a folder's line covers its content. */
function isIncluded(file: string): boolean {
  const lines = readFileSync(path.join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'));
  const above = file.split('/').map((_part, at, parts) => parts.slice(0, at + 1).join('/'));
  let isIn = true;
  for (const line of lines) {
    const pattern = line.replace(/^!/, '');
    if (above.some((one) => path.matchesGlob(one, pattern))) isIn = line.startsWith('!');
  }
  return isIn;
}

const filesBelow = (name: string): string[] =>
  statSync(path.join(root, name)).isDirectory()
    ? readdirSync(path.join(root, name)).flatMap((entry) => filesBelow(`${name}/${entry}`))
    : [name];

/** The files of the repository in the image: copied by deploy/Dockerfile and not excluded by .dockerignore. */
const files = new Set(copiedPaths().flatMap(filesBelow).filter(isIncluded));
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
