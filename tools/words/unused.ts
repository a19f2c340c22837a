// Finds the texts that no code reads.
import { globSync, readFileSync } from 'node:fs';

/** The keys of texts that none of the sources reads. A group or branch that is passed on counts as read. */
export function unusedIn(keys: Iterable<string>, sources: Iterable<string>): string[] {
  const read = new Set([...sources].flatMap(placesIn));
  const branches = new Set([...read].flatMap(withBranchesAbove));
  return [...keys].filter((key) => !branches.has(key) && !withBranchesAbove(key).some((at) => read.has(at)));
}

export const sourcesOf = (root: string): string[] =>
  globSync('{contract,server,tools,web}/**/*.{ts,tsx}', { cwd: root })
    .filter((file) => !/\.test\.|\bdist\b/.test(file))
    .map((file) => readFileSync(`${root}/${file}`, 'utf8'));

/** "a.b.c" gives "a", "a.b" and "a.b.c". */
const withBranchesAbove = (key: string) =>
  key.split('.').map((_, at, names) => names.slice(0, at + 1).join('.'));

/** The texts, branches and groups that a source reads, such as "members.people". */
function placesIn(source: string): string[] {
  const imported = [...source.matchAll(/\bimport \{([^}]*)\} from '#words\//g)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.trim().split(' as ')),
  );
  const code = source.replaceAll(/^(?:import|export) [^;]*? from '[^']*';/gm, '');
  return imported.flatMap(([name = '', alias = name]) => {
    if (!name.endsWith('Text')) return [];
    // A group alone is code only where it is indexed, passed on or taken apart: "text" is a common word.
    const alone = String.raw`(?=\s*(?:[[\]);,}]|as\b))`;
    const places = new RegExp(String.raw`(?<![\w'"<]|(?<!\.)\.)${alias}((?:\s*\??\.\w+)+|${alone})`, 'g');
    return [...code.matchAll(places)].map(
      ([, path = '']) => name.slice(0, -'Text'.length) + path.replaceAll(/[?\s]/g, ''),
    );
  });
}
