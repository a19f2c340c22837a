// Checks what stands in one place only. All words for people are in contract/text, so that a second language
// is one folder.
import { type ESTree, Visitor, parseSync } from 'vite';
import { type Finding, findingAt } from './imports.ts';

const words = 'words for people stand in contract/text: write them there, with {placeholders}.';

/** Checks the server's files (path from the root → text) and returns what stands in the wrong place. */
export function checkPlaces(files: ReadonlyMap<string, string>): Finding[] {
  return [...files]
    .filter(([file]) => /^server\/(?!testing\/).*(?<!\.test)\.ts$/.test(file))
    .flatMap(([file, text]) => misplacedIn(file, text));
}

function misplacedIn(file: string, text: string): Finding[] {
  const findings: Finding[] = [];
  const add = ({ start }: { start: number }, message: string) =>
    findings.push(findingAt(file, text, start, message));
  const isMail = file.endsWith('/mail.ts');
  const inMail = (node: { start: number }, value: unknown) => {
    if (isMail && typeof value === 'string' && /\p{L},? \p{L}/u.test(value)) add(node, words);
  };
  new Visitor({
    Property: ({ key, value }) => {
      const isDetails = key.type === 'Identifier' && key.name === 'details';
      if (isDetails && isText(value)) add(value, words);
    },
    Literal: (node) => inMail(node, node.value),
    TemplateElement: (node) => inMail(node, node.value.raw),
  }).visit(parseSync(file, text).program);
  return findings;
}

const isText = (node: ESTree.Node) =>
  node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string');
