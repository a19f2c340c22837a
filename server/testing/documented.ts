import { readFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ApplicationKind } from '#contract/applications/registration.ts';

const root = path.join(import.meta.dirname, '../..');
const readDocument = () => readFileSync(path.join(root, 'docs/applications.md'), 'utf8');

/**
 * Writes an example of docs/applications.md into a folder of its own; the line before its code names the file.
 * `chapter` tells examples of one name apart.
 */
export function writeExample(name: string, replacements: Record<string, string> = {}, chapter = '') {
  const document = readDocument();
  const text = document.slice(document.indexOf(`### ${chapter}`));
  const [, code] = new RegExp(`\`${name}\`:\n\n\`\`\`\\w+\n(.*?)^\`\`\`$`, 'ms').exec(text) ?? [];
  if (code === undefined) throw new Error(`docs/applications.md has no example ${name}`);
  const folder = mkdtempSync(path.join(tmpdir(), 'portico-example-'));
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  let example = code;
  for (const [from, to] of Object.entries(replacements)) {
    if (!example.includes(from)) throw new Error(`${name} does not contain ${from}`);
    example = example.replaceAll(from, to);
  }
  const file = path.join(folder, name);
  writeFileSync(file, example);
  return { file, folder, text: example, remove: () => rmSync(folder, { recursive: true }) };
}

export function exampleCommand(chapter: string): string[] {
  const [, text = ''] = readDocument().split(`### ${chapter}\n`);
  const [, command = ''] = /^npm run operator -- ((?:[^\\\n]|\\\n)*)/m.exec(text) ?? [];
  const words = command.matchAll(/'([^']*)'|[^\s\\]+/g);
  return [...words].map(([word, quoted]) => quoted ?? word);
}

export function exampleRegistration(chapter: string, url: string) {
  const words = exampleCommand(chapter);
  const valuesOf = (option: string) =>
    words
      .filter((_, index) => words[index - 1] === `--${option}`)
      .map((value) => value.replace('https://app.example.com', url));
  const [kind = 'web'] = valuesOf('kind');
  const [signOutUrl = null] = valuesOf('logout-tokens');
  return {
    kind: kind as ApplicationKind,
    is_first_party: words.includes('--first-party'),
    redirect_urls: valuesOf('redirect'),
    signed_out_urls: valuesOf('signed-out'),
    sign_out_url: signOutUrl,
  };
}
