// Chooses what `npm test -- --changed` runs. Every test over HTTP imports the whole server, so the import graph would choose
// nearly all of them; the folder of a changed file is the better guess.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

export interface Choice {
  lint: string[];
  /** The rooms with pure tests to look for. Those of `tools/`, `drill/` and `bench/` start whole portals. */
  rooms: string[];
  serverTests: string[];
  walks: string[];
}

/** `tests` has the paths of all tests, and the text of those in a browser. */
export function choose(files: readonly string[], tests: ReadonlyMap<string, string>): Choice {
  const wanted = new Set(files.flatMap((file) => [...serverTestsFor(file, tests), ...walksFor(file, tests)]));
  const rooms = files
    .flatMap((file) => /^(?:bench|contract|drill|server|tools|web)\//.exec(file)?.[0] ?? [])
    .flatMap((room) => (room === 'contract/' ? [room, 'server/', 'web/'] : room));
  return {
    rooms: [...new Set(rooms)],
    lint: files.filter((file) => /\.(ts|tsx|mjs)$/.test(file)),
    serverTests: [...wanted].filter((file) => file.startsWith('server/')).toSorted(),
    walks: [...wanted].filter((file) => file.startsWith('e2e/')).toSorted(),
  };
}

/** The tests beside a file, or in the nearest folder above it that has some. Calls are tested where they are answered. */
function serverTestsFor(file: string, tests: ReadonlyMap<string, string>): string[] {
  const start = path.posix.dirname(file).replace(/^contract(?=\/)/, 'server');
  for (let folder = start; folder.startsWith('server'); folder = path.posix.dirname(folder)) {
    const beside = [...tests.keys()].filter((test) => path.posix.dirname(test) === folder);
    if (beside.length > 0 && (folder !== 'server' || folder === start)) return beside;
  }
  return [];
}

/** The walks named after a folder of pages, a walk itself, and those that import a helper. */
function walksFor(file: string, tests: ReadonlyMap<string, string>): string[] {
  const [room, folder = ''] = file.split('/');
  return [...tests].flatMap(([test, text]) => {
    if (!test.startsWith('e2e/')) return [];
    const isNamed = room === 'web' && new RegExp(`^e2e/${folder}[.-]`).test(test);
    const isHelped = room === 'e2e' && text.includes(`'./${file.slice('e2e/'.length)}'`);
    return isNamed || isHelped || file === test ? [test] : [];
  });
}

/** The commit before the branch left main; on main itself the one before the last. */
export function commitBefore(): string {
  const fork = git('merge-base', 'HEAD', 'main');
  return fork && fork !== git('rev-parse', 'HEAD') ? fork : git('rev-parse', 'HEAD~1');
}

export function chooseSince(commit: string): Choice {
  const changed = git('diff', '--name-only', '--diff-filter=d', '--relative', commit).split('\n');
  const added = git('ls-files', '--others', '--exclude-standard').split('\n');
  const walks = globSync('e2e/*.e2e.ts').map((file) => [file, readFileSync(file, 'utf8')] as const);
  const others = globSync('server/**/*.test.ts').map((file) => [file, ''] as const);
  return choose(
    [...changed, ...added].filter((file) => file !== '' && existsSync(file)),
    new Map([...walks, ...others].map(([file, text]) => [file.replaceAll(path.sep, '/'), text])),
  );
}

function git(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, { encoding: 'utf8' });
  // Without a branch main, as in a shallow copy, the last commit counts.
  if (status !== 0 && args[0] === 'merge-base') return '';
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr.trim()}`);
  return stdout.trim();
}
