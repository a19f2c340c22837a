// Pictures of every screen and state in gallery/, and a page that shows them side by side. `npm run gallery
// -- login` makes those whose names start with "login", and keeps the others.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findBrowser } from './browser.ts';

process.chdir(path.join(import.meta.dirname, '..'));
const [prefix = ''] = process.argv.slice(2);
if (prefix === '') rmSync('gallery', { recursive: true, force: true });
mkdirSync('gallery', { recursive: true });

const env = { ...process.env, GALLERY: prefix, CHROMIUM_PATH: findBrowser() };
const run = (...args: string[]) => spawnSync(process.execPath, args, { env, stdio: 'inherit' }).status ?? 1;
process.exitCode = run('tools/run.mjs', 'build') || run('node_modules/@playwright/test/cli.js', 'test');

const pictures = readdirSync('gallery').filter((name) => name.endsWith('.png'));
/** The pictures of each state. */
const states = Object.entries(Object.groupBy(pictures, (name) => name.split('--').slice(0, 2).join('--')));

const picture = (name: string) => `<a href="${name}"><img src="${name}" loading="lazy" alt="${name}"></a>`;
const row = ([state, names = []]: (typeof states)[number]) =>
  `<h2 id="${state}">${state}</h2><div>${names.map(picture).join('')}</div>`;

writeFileSync(
  'gallery/index.html',
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Gallery</title>
<style>
  body { margin: 24px; font: 15px/1.5 system-ui; background: #777; color: #fff }
  a { color: inherit }
  nav { columns: 14rem }
  nav a { display: block }
  div { display: flex; gap: 12px; align-items: flex-start; overflow-x: auto }
  img { display: block; height: 420px }
</style>
<nav>${states.map(([state]) => `<a href="#${state}">${state}</a>`).join('')}</nav>
${states.map(row).join('\n')}
`,
);
console.log(`${pictures.length} pictures of ${states.length} states: gallery/index.html`);
