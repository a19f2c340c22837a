import path from 'node:path';
import { type ESTree, Visitor } from 'vite';

export interface Finding {
  file: string;
  line: number;
  message: string;
}

export const findingAt = (file: string, text: string, start: number, message: string): Finding => ({
  file,
  line: text.slice(0, start).split('\n').length,
  message,
});

interface Import {
  start: number;
  /** Undefined when the path is computed. */
  specifier: string | undefined;
}

export function importsOf(program: ESTree.Program): Import[] {
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

/** The imported file's path from the root, `package:name`, or undefined for an unknown # name. */
export function targetOf(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(file), specifier);
  if (!specifier.startsWith('#')) return `package:${specifier}`;
  return /^#(contract|server|web|tools|words)\//.test(specifier) ? specifier.slice(1) : undefined;
}
