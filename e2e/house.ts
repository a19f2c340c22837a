import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readCatalogs } from '#tools/words/messages.ts';
import { pseudoArb } from '#tools/words/pseudo.ts';

const root = path.join(import.meta.dirname, '..');
const parts = [
  'contract',
  'docs',
  'languages',
  'package.json',
  'server',
  'tools',
  'tsconfig.base.json',
  'web',
];

/** A copy of the portal with one more language: a file in `languages/`. Its pages are built, and no others. */
export function houseWith(language: 'en-XA') {
  const house = mkdtempSync(path.join(tmpdir(), 'portico-house-'));
  const dist = path.join(root, 'web/dist');
  // Of the pages in English only the files with fixed names, which all languages share.
  const isNeeded = (file: string) =>
    !file.startsWith(`${dist}/`) || /^[^/]+\.\w+$/.test(file.slice(dist.length + 1));
  for (const part of parts)
    cpSync(path.join(root, part), path.join(house, part), { recursive: true, filter: isNeeded });
  mkdirSync(path.join(house, 'web/dist/assets'));
  symlinkSync(path.join(root, 'node_modules'), path.join(house, 'node_modules'), 'junction');
  const [english] = readCatalogs(path.join(root, 'languages'));
  if (!english) throw new Error('there is no English catalog');
  const arb = pseudoArb(language, english);
  writeFileSync(path.join(house, `languages/${language}.arb`), arb);
  run(house, ['tools/words/compile.ts']);
  const build = (environment: string) => `const { createBuilder } = await import('vite');
    const builder = await createBuilder({ root: 'web', logLevel: 'warn' });
    await builder.build(builder.environments.${environment});`;
  run(house, ['-e', build('ssr')]);
  run(house, ['-e', build('client')], { BUILD_LANGUAGE: language });
  return { house, texts: JSON.parse(arb) as Readonly<Record<string, string>> };
}

function run(house: string, command: string[], more: NodeJS.ProcessEnv = {}) {
  const env = { ...process.env, NODE_ENV: 'production', ...more };
  const { status, stderr } = spawnSync(process.execPath, command, { cwd: house, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command.join(' ')}: ${stderr}`);
}
