import path from 'node:path';
import type { Plugin } from 'vite';
import { compileAll } from './compile.ts';

const root = path.join(import.meta.dirname, '../..');

/** Gives the pages the texts of one language. Unlike on the server, each text is a constant. */
export const wordsIn = (language: string): Plugin => ({
  name: 'words',
  enforce: 'pre',
  buildStart() {
    this.addWatchFile(`${root}/languages/${language}.arb`);
    compileAll();
  },
  resolveId: (id) =>
    id.startsWith('#words/') ? path.join(root, 'words', language, id.slice('#words/'.length)) : null,
});
