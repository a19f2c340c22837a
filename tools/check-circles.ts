import { parseSync } from 'vite';
import { type Finding, importsOf, targetOf } from './imports.ts';

/**
 * Finds files that import each other in a circle, values or types: none of them can be read, moved or tested
 * without the others. A late import may lead back.
 */
export function checkCircles(files: ReadonlyMap<string, string>) {
  const findings: Finding[] = [];
  const visited = new Set<string>();
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) {
      const circle = [...path.slice(path.indexOf(file)), file].join(' → ');
      findings.push({ file, line: 1, message: `stands in a circle of imports: ${circle}.` });
    } else if (!visited.has(file)) {
      for (const target of targetsOf(file, files.get(file) ?? '')) visit(target, [...path, file]);
      visited.add(file);
    }
  };
  for (const file of files.keys()) visit(file, []);
  return findings;
}

function targetsOf(file: string, text: string): string[] {
  if (!/\.(ts|tsx|mjs)$/.test(file)) return [];
  const imports = importsOf(parseSync(file, text).program).filter(({ isLate }) => !isLate);
  return imports.flatMap(({ specifier }) => (specifier && targetOf(file, specifier)) || []);
}
