// Each import is looked up in the table of the rules, and each file has to match a row of it.
import { readFileSync, readdirSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { type ESTree, Visitor, parseSync } from 'vite';
import { checkPlaces } from './check-places.ts';
import { checkProse } from './check-prose.ts';
import { checkTexts } from './check-texts.ts';
import { type Finding, findingAt, importsOf, targetOf } from './imports.ts';
import {
  badNames,
  foldersBeside,
  features,
  HEADLESS_MAX,
  instead,
  LINES_MAX,
  mayImport,
  mayQuery,
  order,
  queryMethods,
  wordOf,
} from './structure-rules.ts';

export function checkStructure(files: ReadonlyMap<string, string>): Finding[] {
  return [...files].flatMap(([file, text]) => [
    ...problemsOfName(file, text).map((message) => ({ file, line: 1, message })),
    ...(/\.(ts|tsx|mjs)$/.test(file) ? problemsOfCode(file, text) : []),
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
  const side = base.endsWith('.css') && /\b(left|right)\b/.exec(text.replaceAll(/\/\*.*?\*\//gs, ''))?.[0];
  if (side) problems.push(`${side} is the other side in Arabic: use start and end, or an inline property.`);
  if (isScript) problems.push('code is TypeScript: .ts or .tsx.');

  const beside = foldersBeside[room];
  const feature = featureOf(file);
  if (beside && inside.length > 0 && ![...features, ...beside].includes(folder)) {
    const folders = `features are ${features.join(', ')}, and beside them ${beside.join(', ')}`;
    problems.push(`${room}/${folder} is no known folder: ${folders}.`);
  }
  if (room === 'server' && feature && file.slice(`server/${feature}/`.length).includes('/'))
    problems.push(
      `server/${feature} has no such folder: add it to the order, or put the file beside the others.`,
    );

  const lines = text.trimEnd().split('\n').length;
  const isData = /-data\.ts$|\.(sql|md|json)$/.test(base);
  if (lines > LINES_MAX && !isData)
    problems.push(`${lines} lines: split it by ${LINES_MAX}, along what changes together.`);
  const isCode = /\.(ts|tsx|mjs)$/.test(base) && room !== 'e2e' && !/\.test\.tsx?$/.test(base);
  if (isCode && !isData && lines > HEADLESS_MAX && !text.startsWith('//'))
    problems.push(`${lines} lines: begin with a comment of one sentence that says what the file is for.`);
  return problems;
}

function problemsOfCode(file: string, text: string): Finding[] {
  const { program, errors } = parseSync(file, text);
  if (errors[0]) return [{ file, line: 1, message: `cannot be parsed: ${errors[0].message}` }];
  const imports = importsOf(program).flatMap(({ start, specifier }) => {
    const message = specifier === undefined ? computedImportProblem(file) : problemOfImport(file, specifier);
    return message ? [findingAt(file, text, start, message)] : [];
  });
  const queries = mayQuery(file) ? [] : queriesOf(program);
  return [
    ...imports,
    ...nameProblems(file, program).map((message) => ({ file, line: 1, message })),
    ...queries.map(({ name, start }) =>
      findingAt(file, text, start, `"${name}" belongs into data.ts, because SQL stands there alone.`),
    ),
  ];
}

function queriesOf(program: ESTree.Program): { name: string; start: number }[] {
  const queries: { name: string; start: number }[] = [];
  const add = (node: ESTree.Node, start: number, isQuery: (name: string) => boolean) => {
    if (node.type === 'Identifier' && isQuery(node.name)) queries.push({ name: node.name, start });
  };
  new Visitor({
    MemberExpression: ({ property }) => add(property, property.start, (name) => queryMethods.has(name)),
    TaggedTemplateExpression: ({ tag }) => add(tag, tag.start, (name) => name === 'sql'),
  }).visit(program);
  return queries;
}

/** The name tells the truth: `actions.ts` opens transactions. */
function nameProblems(file: string, program: ESTree.Program): string[] {
  if (placeOf(file) !== 'server actions.ts') return [];
  let opens = false;
  new Visitor({
    CallExpression: ({ callee }) => {
      opens ||= callee.type === 'Identifier' && ['transaction', 'inSession'].includes(callee.name);
    },
  }).visit(program);
  return opens ? [] : ['opens no transaction: name it by its content.'];
}

function computedImportProblem(file: string): string | undefined {
  // The server names the file of a public page.
  if (file === 'web/app/public.tsx') return undefined;
  const isShipped = ['contract', 'server', 'web'].includes(roomOf(file)) && placeOf(file) !== 'test';
  return isShipped ? 'imports a computed path, which nobody can check: write the path out.' : undefined;
}

function problemOfImport(file: string, specifier: string): string | undefined {
  const place = placeOf(file);
  const allowedKinds = mayImport[place];
  if (!allowedKinds) return undefined;
  const target = targetOf(file, specifier);
  if (target === undefined)
    return `imports "${specifier}": package.json knows #contract/, #server/, #web/, #tools/ and #words/ only.`;
  if (specifier.startsWith('.') && roomOf(target) !== roomOf(file)) {
    return `imports "${specifier}": no relative path leaves its room. Write "#${target}".`;
  }
  if (specifier.startsWith('#') && path.posix.dirname(target) === path.posix.dirname(file))
    return `imports "${specifier}" from its own folder. Write "./${path.posix.basename(target)}".`;
  const kinds = target.startsWith('package:') ? kindsOfPackage(specifier) : kindsOfFile(file, target);
  if (kinds.some((kind) => allowedKinds.includes(kind))) return undefined;
  const hint =
    Object.entries(instead).find(([kind]) => kinds.includes(kind))?.[1] ?? 'move it to where it is known';
  const orderHint = kinds.includes('higher feature') ? ` The order is ${order.join(' → ')}.` : '';
  return `imports "${specifier}": ${place} may import ${allowedKinds.join(', ')}.${orderHint} Instead: ${hint}.`;
}

function kindsOfPackage(specifier: string): string[] {
  if (isBuiltin(specifier)) return ['node:*'];
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  const isSql = ['kysely', 'pg', '@electric-sql/pglite'].includes(name);
  return [specifier, name, isSql ? 'sql' : 'packages'];
}

function kindsOfFile(file: string, target: string): string[] {
  const room = roomOf(target);
  // Texts belong to the contract.
  if (room === 'words') return ['contract'];
  if (room !== roomOf(file)) {
    const feature = callsOf(target);
    const isOthers = room === 'contract' && isRoutes(file) && feature && feature !== callsOf(file);
    return isOthers
      ? ['calls of another feature']
      : [room, placeOf(target) === 'server/testing' ? 'server/testing' : ''];
  }
  const kinds = [room, 'own room'];
  const feature = featureOf(target);
  if (!feature) return [...kinds, placeOf(target).replace('server foundations', 'foundations')];
  const ownFeature = featureOf(file);
  const isLower = ownFeature !== undefined && order.indexOf(feature) < order.indexOf(ownFeature);
  if (room === 'web') {
    if (feature === ownFeature) return [...kinds, 'own files'];
    return [...kinds, isLower ? 'lower web feature' : 'other web feature'];
  }
  const base = wordOf(path.posix.basename(target));
  if (base === 'tables.ts') return [...kinds, 'any tables.ts'];
  if (feature === ownFeature) return [...kinds, 'own files', `own ${base}`];
  if (!ownFeature) return [...kinds, 'any feature'];
  // One file may answer the calls of a feature and of its parts.
  if (isRoutes(file) && feature.startsWith(`${ownFeature}/`)) return [...kinds, 'own files'];
  return [...kinds, 'any feature', ...(isLower ? ['lower feature', `lower ${base}`] : ['higher feature'])];
}

const isRoutes = (file: string) => /^server\/.*\/routes(-[a-z-]+)?\.ts$/.test(file);

/** The feature whose calls a file of the contract describes, or whose calls a file of the server answers. */
function callsOf(file: string): string | undefined {
  const name = file.split('/')[1]?.replace('.ts', '') ?? '';
  return features.includes(name) ? name : undefined;
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

function placeOf(file: string): string {
  const [room = '', folder = '', ...inside] = file.split('/');
  const base = path.posix.basename(file);
  if (/\.test\.tsx?$/.test(file) && room !== 'tools' && room !== 'drill') return 'test';
  if (room === 'tools' && file.endsWith('.mjs')) return 'tools *.mjs';
  if (room !== 'server' && room !== 'web') return room;
  if (featureOf(file)) return room === 'web' ? 'web feature' : `server ${wordOf(base)}`;
  if (inside.length > 0) return `${room}/${folder}`;
  if (room === 'web') return 'web config';
  return ['main.ts', 'app.ts', 'hourly.ts', 'job-handlers.ts'].includes(base)
    ? 'server app'
    : 'server foundations';
}

function readRooms(): Map<string, string> {
  const entries = ['contract', 'server', 'web', 'e2e', 'bench', 'tools', 'drill'].flatMap((room) =>
    readdirSync(room, { recursive: true, withFileTypes: true }),
  );
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name).replaceAll(path.sep, '/'))
    .filter((file) => !file.startsWith('web/dist/') && !file.includes('node_modules/'));
  const isText = (file: string) => /\.(ts|tsx|mjs|css|html)$/.test(file);
  return new Map(paths.toSorted().map((file) => [file, isText(file) ? readFileSync(file, 'utf8') : '']));
}

function readPages(): Map<string, string> {
  const pages = readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`);
  const files = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...pages].filter((file) =>
    file.endsWith('.md'),
  );
  return new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
}

if (import.meta.main) {
  process.chdir(path.join(import.meta.dirname, '..'));
  const files = readRooms();
  const findings = [
    ...checkStructure(files),
    ...checkPlaces(files),
    ...checkTexts(files),
    ...checkProse(new Map([...files, ...readPages()])),
  ];
  for (const { file, line, message } of findings) console.error(`${file}:${line} ${message}`);
  console.log(`${files.size} files, ${findings.length} findings`);
  process.exitCode = findings.length > 0 ? 1 : 0;
}
