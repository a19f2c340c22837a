import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Plugin, normalizePath } from 'vite';
import { product } from '#contract/product.ts';
import { inLanguage } from '#server/language.ts';
import { spokenLanguage } from '#words/language.ts';
import { languages } from '#words/languages.ts';
import { pageText } from '#words/page.ts';
import { compileAll } from './compile.ts';
import { SOURCE } from './messages.ts';

const root = path.join(import.meta.dirname, '../..');
const words = normalizePath(`${root}/words`);
/** The texts of the language in which a thread draws. */
const DRAWN = '\0drawn-words/';

/** Unlike on the server, each text is a constant. The script that draws pages has all languages. */
export function wordsIn(language: string): Plugin {
  const about: Readonly<Record<string, unknown>> = languages.find(({ tag }) => tag === language) ?? {};
  return {
    name: 'words',
    enforce: 'pre',
    buildStart() {
      this.addWatchFile(`${root}/languages/${language}.arb`);
      compileAll();
    },
    resolveId(id) {
      if (!id.startsWith('#words/')) return null;
      // Messages of rules are constants in pages, too.
      const file = path.posix.basename(id);
      return this.environment.name !== 'ssr' ? path.join(words, language, file) : `${DRAWN}${file}`;
    },
    transform(code, id) {
      if (this.environment.name === 'ssr' || normalizePath(id).startsWith(words)) return null;
      // Constants, so that a page holds neither the object nor the code of other languages.
      return code.replaceAll(/\bspokenLanguage\.(\w+)/g, (_, name: string) => JSON.stringify(about[name]));
    },
    load(id) {
      if (!id.startsWith(DRAWN)) return null;
      const file = id.slice(DRAWN.length);
      const [, name] = /^export const (\w+)/m.exec(readFileSync(`${words}/${SOURCE}/${file}`, 'utf8')) ?? [];
      const tags = languages.map(({ tag }) => JSON.stringify(tag));
      return [
        `import { workerData } from 'node:worker_threads';`,
        ...languages.map(({ tag }, at) => `import { ${name} as words${at} } from '${words}/${tag}/${file}';`),
        `export const ${name} = [${languages.map((_, at) => `words${at}`).join()}][[${tags.join()}].indexOf(workerData.language)];`,
      ].join('\n');
    },
  };
}

/** The words of the HTML files in a language. The server fills in the name of the portal. */
export function pageWords(language: string) {
  product.name = '{{product}}';
  return inLanguage(language, () => ({
    PRODUCT: product.name,
    LANGUAGE: language,
    DIRECTION: spokenLanguage.direction,
    DESCRIPTION: pageText.description,
    NO_SCRIPT: pageText.noScript,
    LATE: pageText.late({ again: (link) => `<a href="">${link}</a>` }).join(''),
  }));
}
