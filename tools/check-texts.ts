// Finds texts beside conditional parts: translators move texts into `font` elements, and then React throws.
import { parseSync } from 'vite';
import { type Finding, findingAt } from './imports.ts';

interface Node {
  type: string;
  start: number;
  [key: string]: unknown;
}

const message =
  'a text beside something that comes and goes: a translated page dies of it. Give the text an element of its own.';

export function checkTexts(files: ReadonlyMap<string, string>): Finding[] {
  return [...files].filter(([file]) => file.endsWith('.tsx')).flatMap(([file, text]) => textsIn(file, text));
}

function textsIn(file: string, text: string): Finding[] {
  const findings: Finding[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (value === null || typeof value !== 'object' || !('type' in value)) return;
    const node = value as Node;
    if (node.type === 'JSXElement' || node.type === 'JSXFragment') {
      const children = childrenOf(node);
      if (children.length > 1 && children.some(comesAndGoes))
        for (const child of children.filter(mayBeText))
          findings.push(findingAt(file, text, child.start, message));
    }
    Object.values(node).forEach(visit);
  };
  visit(parseSync(file, text).program);
  return findings;
}

/** The rendered children: no comments, and no white space between lines. */
const childrenOf = ({ children }: Node) =>
  (children as Node[])
    .filter((child) => child.type !== 'JSXText' || String(child['value']).trim() !== '')
    .map((child) => (child.type === 'JSXExpressionContainer' ? (child['expression'] as Node) : child))
    .filter(({ type }) => type !== 'JSXEmptyExpression');

const branchesOf = (node: Node): Node[] => {
  if (node.type === 'ParenthesizedExpression') return branchesOf(node['expression'] as Node);
  if (node.type === 'ConditionalExpression')
    return [node['consequent'], node['alternate']].flatMap((branch) => branchesOf(branch as Node));
  if (node.type === 'LogicalExpression') return branchesOf(node['right'] as Node);
  return [node];
};

const isList = ({ type, callee }: Node) =>
  type === 'CallExpression' && ((callee as Node)['property'] as Node | undefined)?.['name'] === 'map';

/** Names that always hold elements in this code base; any other name may hold a text. */
const elementNames = new Set(
  'icon badge pill parts content control resend waysOn words action kindIcons directions offer'.split(' '),
);
const identifierOf = (node: Node): string => {
  if (node.type === 'Identifier') return String(node['name']);
  if (node.type === 'CallExpression') return identifierOf(node['callee'] as Node);
  if (node.type !== 'MemberExpression') return '';
  return identifierOf((node['computed'] ? node['object'] : node['property']) as Node);
};
const isElement = (node: Node) =>
  ['JSXElement', 'JSXFragment'].includes(node.type) ||
  isList(node) ||
  elementNames.has(identifierOf(node)) ||
  (node.type === 'CallExpression' && identifierOf(node).startsWith('draw'));

const isNothing = ({ type, value }: Node) =>
  type === 'Literal' && (value === null || typeof value === 'boolean');

const comesAndGoes = (node: Node) =>
  branchesOf(node)[0] !== node || isList(node) || (node.type === 'Identifier' && isElement(node));

const mayBeText = (node: Node) => branchesOf(node).some((branch) => !isElement(branch) && !isNothing(branch));
