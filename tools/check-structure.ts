// Proves who may know whom: each import is looked up in the table below, and each file has to have a place in it.
import { readFileSync, readdirSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { type ESTree, Visitor, parseSync } from 'vite';

/** The order of the server features: one on the right may use those on its left. */
const order = [
  'activity',
  'activity/notifications',
  'activity/chain',
  'accounts/tokens',
  'accounts/addresses',
  'accounts',
  'sessions',
  'sign-in/challenge',
  'sign-in/onward',
  'sign-in',
  'sign-in/step-up',
  'sign-in/recovery',
  'social/provider',
  'social',
  'members/standing',
  'members',
  'members/directory',
  'members/invitations',
  'members/joining',
  'roles',
  'organizations',
  'profile/contact',
  'profile/password',
  'profile',
  'communications',
  'drive',
  'accounts/deletion',
  'operator',
];
const features = order.filter((name) => !name.includes('/'));
const serverFolders = ['http', 'db', 'jobs', 'mail', 'storage', 'testing'];
const webFolders = ['app', 'ui', 'lib', 'specimen', 'public'];

// "own" is the importing file's feature, "lower" a feature to its left in the order, "foundations" are
// server/*.ts other than main.ts and app.ts, "sql" is kysely and the drivers, "packages" all other packages.
const node = ['packages', 'node:*'];
const foundation = ['contract', 'foundations'];
const shared = ['server/db', 'server/jobs', 'server/mail', 'server/storage'];
const lower = ['lower actions.ts', 'lower data.ts', 'lower rules.ts'];
const own = ['own rules.ts', 'own data.ts', 'own mail.ts', 'own actions.ts'];

const mayImport: Record<string, string[]> = {
  contract: ['contract', 'zod/mini'],
  'server rules.ts': ['contract'],
  'server data.ts': [...foundation, 'server/db', 'kysely', 'own rules.ts', 'lower rules.ts'],
  'server mail.ts': [...foundation, 'server/db', 'server/mail', 'own rules.ts', ...node],
  'server actions.ts': [...foundation, ...shared, ...own, 'own jobs.ts', ...lower, ...node],
  'server jobs.ts': [...foundation, ...shared, ...own, ...lower, ...node],
  'server routes.ts': [...foundation, 'server/http', 'own files', ...node],

  'server/db': [...foundation, 'server/db', 'sql', ...node],
  'server/storage': [...foundation, 'server/storage', ...node],
  'server/jobs': [...foundation, 'server/jobs', 'server/db', 'kysely', ...node],
  'server/http': [
    ...foundation,
    'server/http',
    'server/db',
    'server/jobs',
    'server/storage',
    'kysely',
    ...node,
  ],
  'server/mail': [...foundation, 'server/mail', 'server/db', 'server/jobs', 'server/http', 'kysely', ...node],
  'server foundations': [...foundation, ...shared, 'server/http', ...node],
  'server app': [...foundation, ...shared, 'server/http', 'server app', 'any feature', 'sql', ...node],
  'server/testing': ['contract', 'server', 'sql', ...node],

  'web feature': ['contract', 'web/ui', 'web/lib', 'own files', 'packages'],
  'web/ui': ['contract', 'web/ui', 'packages'],
  'web/lib': ['contract', 'web/lib', 'web/ui', 'packages'],
  'web/specimen': ['contract', 'web/ui', 'web/lib', 'web/specimen', 'packages'],
  'web/app': ['contract', 'web', 'packages'],
  'web config': ['contract', 'web', ...node],

  e2e: ['contract', 'server/testing', 'e2e', ...node],
  bench: ['contract', 'server/testing', 'bench', 'tools', 'sql', ...node],
  tools: ['contract', 'server', 'tools', 'sql', ...node],
  'tools *.mjs': ['node:*'],
  test: ['contract', 'server/testing', 'own room', 'sql', ...node],
};

/** What to do instead, by what was imported; the first that fits is said. */
const instead: Record<string, string> = {
  sql: 'put the query into data.ts',
  'own files': 'let actions.ts bring the two together',
  'server/db': 'leave queries to data.ts and the transaction to actions.ts',
  'server/http': 'take what you need as an argument, which routes.ts hands over',
  'server/testing': 'move what is needed outside of tests to where it is used',
  'server app': 'take it as an argument: app.ts passes dependencies down',
  'higher feature': 'let the feature on the right call this one, or pass a function in from app.ts',
  'lower feature': 'call its actions, data or rules, and from actions.ts',
  'any feature': 'take a function as an argument, which app.ts passes in',
  'other web feature': 'move the shared part to web/ui or web/lib, or let web/app join the two',
  'web/app': 'take it as a prop or from web/lib; only web/app knows web/app',
  'own room': 'move it to a place both may know, or hand it in as an argument',
  server: 'share it through contract/',
  web: 'share it through contract/, or look at the page as a visitor does',
  'node:*': 'hand the value in as an argument',
  packages: 'hand the value in as an argument',
};

const badNames = new Set([
  'util',
  'utils',
  'helper',
  'helpers',
  'misc',
  'common',
  'manager',
  'service',
  'services',
]);
const serverFeatureFile = /^(routes|actions|rules|data|mail|jobs)(\.ts|([-.][a-z0-9-]+)?\.test\.ts)$/;
const LINES_MAX = 300;

interface Finding {
  file: string;
  line: number;
  message: string;
}

/** Checks the given files (path from the root → text) and returns what breaks the rules, in order of the files. */
export function checkStructure(files: ReadonlyMap<string, string>): Finding[] {
  return [...files].flatMap(([file, text]) => [
    ...problemsOfName(file, text).map((message) => ({ file, line: 1, message })),
    ...(/\.(ts|tsx|mjs)$/.test(file) ? problemsOfImports(file, text) : []),
  ]);
}

function problemsOfName(file: string, text: string): string[] {
  const problems = [];
  const [room = '', folder = '', ...inside] = file.split('/');
  const base = path.posix.basename(file);
  const names = [folder, ...inside].map((name) => name.replace(/\..*$/, ''));
  const badName = names.map((name) => name.split('-').at(-1) ?? '').find((word) => badNames.has(word));
  if (badName) problems.push(`"${badName}" says nothing: name it after what it does.`);
  if (/^index\.(ts|tsx|mjs)$/.test(base))
    problems.push('no barrels: import from the file that has the thing.');
  const isScript = /\.(js|jsx|cjs|mts|cts)$/.test(base) && !file.startsWith('web/public/');
  if (isScript) problems.push('code is TypeScript: .ts or .tsx.');

  const beside = room === 'server' ? serverFolders : webFolders;
  const hasFolders = (room === 'server' || room === 'web') && inside.length > 0;
  const feature = featureOf(file);
  if (hasFolders && !feature && !beside.includes(folder)) {
    const known = `features are ${features.join(', ')}, and beside them ${beside.join(', ')}`;
    problems.push(`${room}/${folder} is no known folder: ${known}.`);
  }
  if (room === 'server' && feature && !serverFeatureFile.test(file.slice(`server/${feature}/`.length))) {
    problems.push(
      'a feature has routes, actions, rules, data, mail, jobs (.ts) and their .test.ts, nothing else.',
    );
  }

  const lines = text.trimEnd().split('\n').length;
  const isData = /-data\.ts$|\.(sql|md|json)$/.test(base);
  if (lines > LINES_MAX && !isData)
    problems.push(`${lines} lines: split it by ${LINES_MAX}, along what changes together.`);
  return problems;
}

function problemsOfImports(file: string, text: string): Finding[] {
  const { program, errors } = parseSync(file, text);
  const lineOf = (position: number) => text.slice(0, position).split('\n').length;
  if (errors[0]) return [{ file, line: 1, message: `cannot be parsed: ${errors[0].message}` }];
  return importsOf(program).flatMap(({ start, specifier }) => {
    const message = specifier === undefined ? problemOfComputed(file) : problemOfImport(file, specifier);
    return message ? [{ file, line: lineOf(start), message }] : [];
  });
}

interface Import {
  start: number;
  /** Undefined when the path is computed. */
  specifier: string | undefined;
}

function importsOf(program: ESTree.Program): Import[] {
  const imports: Import[] = [];
  const add = ({ source, start }: { source: ESTree.Expression | null; start: number }) => {
    if (source === null) return;
    const isText = source.type === 'Literal' && typeof source.value === 'string';
    imports.push({ start, specifier: isText ? source.value : undefined });
  };
  new Visitor({
    ImportDeclaration: add,
    ExportNamedDeclaration: add,
    ExportAllDeclaration: add,
    ImportExpression: add,
    TSImportType: add,
    TSExternalModuleReference: (node) => add({ source: node.expression, start: node.start }),
  }).visit(program);
  return imports.toSorted((a, b) => a.start - b.start);
}

function problemOfComputed(file: string): string | undefined {
  const isShipped = ['contract', 'server', 'web'].includes(roomOf(file)) && placeOf(file) !== 'test';
  return isShipped ? 'imports a computed path, which nobody can check: write the path out.' : undefined;
}

function problemOfImport(file: string, specifier: string): string | undefined {
  const place = placeOf(file);
  const allowed = mayImport[place];
  if (!allowed) return undefined;
  const target = targetOf(file, specifier);
  if (target === undefined)
    return `imports "${specifier}": package.json knows #contract/, #server/, #web/ and #tools/ only.`;
  if (specifier.startsWith('.') && roomOf(target) !== roomOf(file)) {
    return `imports "${specifier}": no relative path leaves its room. Write "#${target}".`;
  }
  const kinds = target.startsWith('package:') ? kindsOfPackage(specifier) : kindsOfFile(file, target);
  if (kinds.some((kind) => allowed.includes(kind))) return undefined;
  const hint =
    Object.entries(instead).find(([kind]) => kinds.includes(kind))?.[1] ?? 'move it to where it is known';
  const orderHint = kinds.includes('higher feature') ? ` The order is ${order.join(' → ')}.` : '';
  return `imports "${specifier}": ${place} may import ${allowed.join(', ')}.${orderHint} Instead: ${hint}.`;
}

/** The imported file's path from the root, `package:name`, or undefined for an unknown # name. */
function targetOf(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(file), specifier);
  if (!specifier.startsWith('#')) return `package:${specifier}`;
  return /^#(contract|server|web|tools)\//.test(specifier) ? specifier.slice(1) : undefined;
}

function kindsOfPackage(specifier: string): string[] {
  if (isBuiltin(specifier)) return ['node:*'];
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  const isSql = ['kysely', 'pg', '@electric-sql/pglite'].includes(name);
  return [specifier, name, isSql ? 'sql' : 'packages'];
}

/** Every word of the table that fits the imported file, as seen from the importing one. */
function kindsOfFile(file: string, target: string): string[] {
  const room = roomOf(target);
  if (room !== roomOf(file)) return [room, placeOf(target) === 'server/testing' ? 'server/testing' : ''];
  const kinds = [room, 'own room'];
  const feature = featureOf(target);
  if (!feature) return [...kinds, placeOf(target).replace('server foundations', 'foundations')];
  const ownFeature = featureOf(file);
  if (room === 'web') return [...kinds, feature === ownFeature ? 'own files' : 'other web feature'];
  const base = path.posix.basename(target);
  if (feature === ownFeature) return [...kinds, 'own files', `own ${base}`];
  if (!ownFeature) return [...kinds, 'any feature'];
  const isLower = order.indexOf(feature) < order.indexOf(ownFeature);
  return [...kinds, 'any feature', ...(isLower ? ['lower feature', `lower ${base}`] : ['higher feature'])];
}

function roomOf(file: string): string {
  return file.split('/')[0] ?? '';
}

function featureOf(file: string): string | undefined {
  const [room = '', folder = '', inner] = file.split('/');
  if (!['server', 'web'].includes(room) || !features.includes(folder)) return undefined;
  const isNested = room === 'server' && order.includes(`${folder}/${inner}`);
  return isNested ? `${folder}/${inner}` : folder;
}

/** The row of the table that a file falls under, or one without a row when its name is refused anyway. */
function placeOf(file: string): string {
  const [room = '', folder = '', ...inside] = file.split('/');
  const base = path.posix.basename(file);
  if (/\.test\.tsx?$/.test(file) && room !== 'tools') return 'test';
  if (room === 'tools' && file.endsWith('.mjs')) return 'tools *.mjs';
  if (room !== 'server' && room !== 'web') return room;
  if (featureOf(file)) return room === 'web' ? 'web feature' : `server ${base}`;
  if (inside.length > 0) return `${room}/${folder}`;
  if (room === 'web') return 'web config';
  return base === 'main.ts' || base === 'app.ts' ? 'server app' : 'server foundations';
}

function readRooms(): Map<string, string> {
  const entries = ['contract', 'server', 'web', 'e2e', 'bench', 'tools'].flatMap((room) =>
    readdirSync(room, { recursive: true, withFileTypes: true }),
  );
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name).replaceAll(path.sep, '/'))
    .filter((file) => !file.startsWith('web/dist/') && !file.includes('node_modules/'));
  const isText = (file: string) => /\.(ts|tsx|mjs|css|html)$/.test(file);
  return new Map(paths.toSorted().map((file) => [file, isText(file) ? readFileSync(file, 'utf8') : '']));
}

if (import.meta.main) {
  process.chdir(path.join(import.meta.dirname, '..'));
  const files = readRooms();
  const findings = checkStructure(files);
  for (const { file, line, message } of findings) console.error(`${file}:${line} ${message}`);
  console.log(`${files.size} files, ${findings.length} findings`);
  process.exitCode = findings.length > 0 ? 1 : 0;
}
