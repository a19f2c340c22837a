// Plain JavaScript without dependencies for any Node: installs the packages, chooses the Node, hands over to it.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import path from 'node:path';
import { isatty } from 'node:tty';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const windows = process.platform === 'win32';
const modules = path.resolve('node_modules');
const [name = 'start', ...args] = process.argv.slice(2);

installPackages();
const node = chooseNode();
const searchPath = [path.dirname(node), path.join(modules, '.bin'), process.env.PATH].join(path.delimiter);
const env = { ...process.env, PATH: searchPath };
const vite = path.join(modules, 'vite/bin/vite.js');

// A new text may not compile, and the check says why.
if (name !== 'words') compileWords();
if (name === 'build') {
  buildWeb(languages());
  makeDatabase();
} else if (name === 'start') {
  buildWeb();
  beFrugal();
  run([['server/main.ts', ...args]], languages());
} else if (name === 'dev') {
  buildWeb();
  // The watching build writes to the same folder and may be interrupted, so the next start has to build again.
  rmSync(stampFile('web-en'), { force: true });
  env.PORTICO_DEV = '1';
  run([
    [
      '--watch-path=server',
      '--watch-path=contract',
      '--watch-path=words',
      '--watch-preserve-output',
      'server/main.ts',
      ...args,
    ],
    [vite, 'build', 'web', '--watch', '--logLevel', 'warn'],
  ]);
} else if (name === 'bench') {
  buildWeb();
  makeDatabase();
  beFrugal();
  const [measurement = 'throughput', ...rest] = args;
  run([[`bench/${measurement}.ts`, ...rest]]);
} else if (name === 'drill') {
  buildWeb();
  makeDatabase();
  beFrugal();
  // The started portals keep the memory settings; the drill itself records a million answers.
  run([['--max-old-space-size=4096', 'drill/main.ts', ...args]]);
} else if (existsSync(`tools/${name}.ts`)) {
  run([[`tools/${name}.ts`, ...args]]);
} else {
  fail(`There is no tools/${name}.ts; known are start, dev, build, bench and the files of tools/.`);
}

/** The young space is half of Node's default, and Node collects before the heap doubles. Threads share one malloc arena. */
function beFrugal() {
  env.NODE_OPTIONS ??= '--max-semi-space-size=8 --max-old-space-size=512';
  env.MALLOC_ARENA_MAX ??= '1';
  env.NODE_COMPILE_CACHE ??= path.join(modules, '.cache/portico/compiled');
}

function installPackages() {
  const hash = hashOf([readFileSync('package-lock.json'), process.platform, process.arch]);
  if (isStamped('deps', hash)) return;
  console.log('Installing packages…');
  // In an npm script PATH leads to the Node in node_modules, which is about to be replaced.
  const outside = (process.env.PATH ?? '').split(path.delimiter).filter((dir) => !dir.startsWith(modules));
  const flags = ['--ignore-scripts', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const result = spawnSync('npm', ['ci', ...flags], {
    env: { ...process.env, PATH: outside.join(path.delimiter) },
    encoding: 'utf8',
    shell: windows,
  });
  if (result.status === 0) return writeStamp('deps', hash);
  const output = `${result.stdout ?? ''}${result.stderr ?? ''}`;
  if (output) console.error(output.trim());
  fail(`The packages could not be installed: ${reasonOf(output, result.error)}`);
}

function reasonOf(output, error) {
  if (error?.code === 'ENOENT') return 'npm was not found; it comes with Node.js (https://nodejs.org).';
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT/.test(output)) {
    return 'the npm registry is not reachable. Check the network, or `npm config get registry` and the proxy.';
  }
  if (/E401|E403/.test(output)) return 'the npm registry refused access (`npm config get registry`).';
  if (/E404|ETARGET/.test(output)) return 'the npm registry does not have a package of the lock file.';
  if (/EUSAGE/.test(output))
    return 'package.json and package-lock.json do not fit together; run `npm install`.';
  if (/ENOSPC/.test(output)) return 'the disk is full.';
  if (/EACCES|EPERM|EROFS/.test(output)) return 'this user may not write to node_modules.';
  return 'see the lines above.';
}

function chooseNode() {
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  const platform = windows ? 'win' : process.platform;
  const own = path.join(modules, `node-${platform}-${process.arch}/bin/node${windows ? '.exe' : ''}`);
  if (existsSync(own)) return own;
  return fail(
    `Portico needs Node 24 or newer: this is ${process.version}, and no Node comes with the packages for ` +
      `${process.platform}-${process.arch}. Install one from https://nodejs.org and run this again.`,
  );
}

/** Making it at a first start takes longer. */
function makeDatabase() {
  const sources = [...filesIn('server/db/migrations'), 'package-lock.json'];
  const hash = hashOf(sources.flatMap((file) => [file, readFileSync(file)]));
  if (existsSync(stampFile('empty')) && isStamped('database', hash)) return;
  rmSync(stampFile('database'), { force: true });
  const { status } = spawnSync(node, ['tools/make-database.ts'], { env, stdio: 'inherit' });
  if (status === 0) writeStamp('database', hash);
  else console.error('No empty database could be made ahead: a first start takes longer.');
}

function compileWords() {
  const sources = [
    ...filesIn('languages'),
    ...filesIn('tools/words'),
    'contract/limits.ts',
    'contract/profile/country-data.ts',
    'package-lock.json',
  ];
  const hash = hashOf(sources.flatMap((file) => [file, readFileSync(file)]));
  if (existsSync('words') && isStamped('words', hash)) return;
  rmSync(stampFile('words'), { force: true });
  const { status } = spawnSync(node, ['tools/words/compile.ts'], { env, stdio: 'inherit' });
  if (status !== 0) fail('The texts in languages/ could not be compiled.');
  writeStamp('words', hash);
}

/** The languages of the pages: English, which is the base of all builds, then the default, then the others. */
function languages() {
  const all = readdirSync('languages').map((file) => path.basename(file, '.arb'));
  const offered = process.env.LANGUAGES?.split(',').map((language) => language.trim());
  return [...new Set(['en', ...(offered ?? all)])].filter((language) => all.includes(language));
}

/** Builds the pages: without a choice those of English and of the default language. */
function buildWeb(chosen = ['en', process.env.LANGUAGES?.split(',', 1)[0].trim()]) {
  // Without its folder a language is not offered.
  for (const language of languages())
    if (language !== 'en' && !isBuilt(language))
      rmSync(`web/dist/${language}`, { recursive: true, force: true });
  for (const language of languages()) {
    if (!chosen.includes(language) || isBuilt(language)) continue;
    console.log(`Building the web app (${language})…`);
    const [command, options] = buildOf(language);
    const result = spawnSync(node, command, options);
    if (result.status !== 0) fail('The web app could not be built.');
    writeStamp(`web-${language}`, sourcesOf(language));
  }
}

/** Builds the other languages while the server runs, and yields to it. A killed build leaves no stamp. */
async function buildBehind(chosen, children) {
  for (const language of chosen) {
    if (isBuilt(language)) continue;
    const child = spawn(node, ...buildOf(language));
    children.push(child);
    setPriority(child.pid, constants.priority.PRIORITY_LOW);
    const [status] = await once(child, 'exit');
    if (status !== 0) return;
    writeStamp(`web-${language}`, sourcesOf(language));
  }
}

function buildOf(language) {
  rmSync(stampFile(`web-${language}`), { force: true });
  const command = [vite, 'build', 'web', '--logLevel', 'warn'];
  return [command, { env: { ...env, NODE_ENV: 'production', BUILD_LANGUAGE: language }, stdio: 'inherit' }];
}

function isBuilt(language) {
  const folder = `web/dist/${language === 'en' ? 'assets' : language}`;
  return existsSync(folder) && isStamped(`web-${language}`, sourcesOf(language));
}

/** The build of English draws the pages of all languages. */
function sourcesOf(language) {
  const catalogs =
    language === 'en' ? filesIn('languages') : [`languages/${language}.arb`, 'languages/en.arb'];
  const sources = [...['web', 'contract', 'tools/words'].flatMap(filesIn), ...catalogs, 'package-lock.json'];
  return hashOf(sources.flatMap((file) => [file, readFileSync(file)]));
}

/** Runs Node once per argument list; when one child ends by itself, the others are stopped. Meanwhile it builds pages. */
function run(commands, behind = []) {
  const children = commands.map((command) => spawn(node, command, { env, stdio: 'inherit' }));
  // In a terminal, Ctrl-C and a hangup reach the children directly; passing them on would signal twice.
  const inTerminal = [0, 1, 2].some((stream) => isatty(stream));
  let isStopped = false;
  const stop = (signal) => {
    if (!isStopped) for (const child of children) child.kill(signal);
    isStopped = true;
  };
  for (const signal of ['SIGINT', 'SIGHUP']) {
    process.on(signal, () => (inTerminal ? (isStopped = true) : stop(signal)));
  }
  process.on('SIGTERM', () => stop('SIGTERM'));
  for (const child of children) {
    child.on('exit', (code, signal) => {
      if (!isStopped || child === children[0]) process.exitCode ??= code ?? 128 + constants.signals[signal];
      stop('SIGTERM');
    });
  }
  void buildBehind(behind, children);
}

function filesIn(folder) {
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.name !== 'dist');
  return entries.flatMap((entry) => {
    const file = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesIn(file) : [file];
  });
}

function hashOf(parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex');
}

function stampFile(name) {
  return path.join(modules, '.cache/portico', name);
}

function isStamped(name, hash) {
  return existsSync(stampFile(name)) && readFileSync(stampFile(name), 'utf8') === hash;
}

function writeStamp(name, hash) {
  mkdirSync(path.dirname(stampFile(name)), { recursive: true });
  writeFileSync(stampFile(name), hash);
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
