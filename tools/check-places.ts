// All words for people are in languages/, so that a second language is one file. The columns that decide who may be
// where are read by `server/access` alone, so that everybody who asks gets one answer.
import { type ESTree, Visitor, parseSync } from 'vite';
import { type Finding, findingAt } from './imports.ts';

const words = 'words for people stand in languages/en.arb: write them there, with {placeholders}.';

const decisive = /\b(?:second_step_(?:rule|from)|company_rule(?:_from)?|entered_with_step)\b/;
const askAccess = 'columns that decide who may be where are read by server/access: ask `demands`.';
/** Places that store these columns or proofs, count people by them, or copy them for people and programs. */
const storing =
  /^server\/(?:access|db|sessions|organizations\/second-step|company-sign-in\/(?:rule|(?:(?:connections|visits)\/)?data\.ts)|sign-in\/factors\/data\.ts|operator\/company|data-export\/sources|webhooks\/events)\b/;

export function checkPlaces(files: ReadonlyMap<string, string>): Finding[] {
  return [...files]
    .filter(
      ([file]) => /^(server\/(?!testing\/).*\.ts|web\/.*\.tsx)$/.test(file) && !/\.test\.tsx?$/.test(file),
    )
    .flatMap(([file, text]) => misplacedIn(file, text));
}

/** Attributes of elements that people see or hear. */
const seen = new Set('aria-label alt title label hint lead description'.split(' '));

function misplacedIn(file: string, text: string): Finding[] {
  const findings: Finding[] = [];
  const column = storing.test(file) ? -1 : text.search(decisive);
  if (column >= 0) findings.push(findingAt(file, text, column, askAccess));
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
    JSXText: (node) => {
      if (/\p{L}/u.test(node.value)) add(node, words);
    },
    JSXAttribute: ({ name, value }) => {
      const isSeen = name.type === 'JSXIdentifier' && seen.has(name.name);
      if (isSeen && value?.type === 'Literal' && value.value !== '') add(value, words);
    },
  }).visit(parseSync(file, text).program);
  return findings;
}

const isText = (node: ESTree.Node) =>
  node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string');
