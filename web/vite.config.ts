import { existsSync } from 'node:fs';
import { glob, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, normalizePath, type Plugin, type Rolldown } from 'vite';

const root = import.meta.dirname;
// The last two belong to a page that the server writes, and finds in the manifest.
const entries = [
  'public.html',
  'area.html',
  'specimen.html',
  'app/social-return.ts',
  'app/social-return.css',
].filter((name) => existsSync(`${root}/${name}`));
// Named one by one, or the build would rewrite light-dark() and OKLCH for browsers we do not serve.
const browsers = ['chrome128', 'edge128', 'firefox130', 'safari18'];
const compress = promisify(brotliCompress);
const isClient = ({ name }: { name: string }) => name === 'client';

/** Writes `name.br` beside every text output, so that the server never compresses while answering. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    applyToEnvironment: isClient,
    async writeBundle({ dir }) {
      if (!dir) return;
      for await (const name of glob('**/*.{js,css,html,svg,json}', { cwd: dir })) {
        const text = await readFile(`${dir}/${name}`);
        const params = {
          [constants.BROTLI_PARAM_QUALITY]: 11,
          [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
        };
        await writeFile(`${dir}/${name}.br`, await compress(text, { params }));
      }
    },
  };
}

/** Vite's own loader of chunks is three times as large: it knows nonces, base paths and browsers that we have none of. */
const chunkLoader = `
const asked = {};
const ask = (file) => asked[file] ??= new Promise((resolve, reject) => {
  const href = '/' + file;
  const isStyle = file.endsWith('.css');
  if (document.querySelector('link[href="' + href + '"]')) return resolve();
  const link = document.createElement('link');
  link.rel = isStyle ? 'stylesheet' : 'modulepreload';
  link.crossOrigin = '';
  link.href = href;
  link.onload = resolve;
  // The next try asks anew.
  link.onerror = () => {
    link.remove();
    asked[file] = undefined;
    reject(Error(href));
  };
  document.head.append(link);
  if (!isStyle) resolve();
});
export const __vitePreload = (load, files = []) => Promise.all(files.map(ask)).then(load);
`;

/** Loads a chunk once its styles are there, and with it the scripts that it would ask for in turn. */
function loadChunks(): Plugin {
  return {
    name: 'load-chunks',
    apply: 'build',
    enforce: 'pre',
    load: { filter: { id: /^\0vite\/preload-helper/ }, handler: () => chunkLoader },
  };
}

const isBare = /^(public|form)$/;
/**
 * The server names a public page's script and styles in its HTML, so the registry of these pages need not; what forms
 * load late is one file each, whose styles are there.
 */
function bareRegistry(): Plugin {
  return {
    name: 'bare-registry',
    apply: 'build',
    applyToEnvironment: isClient,
    renderChunk: {
      order: 'pre',
      handler: (code, { name }) => (isBare.test(name) ? code.replaceAll(/,\s*__VITE_PRELOAD__/g, '') : null),
    },
  };
}

/** Fetches the one font together with the page instead of after its style sheet. */
function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    apply: 'build',
    applyToEnvironment: isClient,
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const font = Object.keys(bundle ?? {}).find((name) => name.endsWith('.woff2'));
        if (!font) return [];
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${font}` };
        return [{ tag: 'link', attrs, injectTo: 'head-prepend' }];
      },
    },
  };
}

/**
 * One chunk of what modules and all they import share with other pages: a page that starts with two dozen
 * small files pays for each, as compression begins anew. Of two groups the first takes what both have.
 */
function sharedOf(name: string, ...modules: string[]): Rolldown.CodeSplittingGroup {
  const all = new Set<string>();
  const follow = (id: string, context: Rolldown.ChunkingContext) => {
    if (all.has(id)) return;
    all.add(id);
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) follow(imported, context);
  };
  return {
    debugName: name,
    name: (id, context) => {
      for (const module of modules) follow(normalizePath(`${root}/${module}`), context);
      return all.has(id) ? name : null;
    },
    minShareCount: 2,
  };
}

/** Classes are called by their file, whose name is its own: a random part can't be compressed, and tells nobody anything. */
const moduleOfName = new Map<string, string>();
function className(local: string, file: string): string {
  const name = path.basename(file).split('.', 1)[0] ?? '';
  if ((moduleOfName.get(name) ?? file) !== file) throw new Error(`two style sheets are called ${name}`);
  moduleOfName.set(name, file);
  return `${name}-${local}`;
}

export default defineConfig({
  root,
  plugins: [react(), loadChunks(), bareRegistry(), preloadFont(), precompress()],
  css: { modules: { generateScopedName: (local, file) => className(local, file.split('?', 1)[0] ?? '') } },
  build: {
    outDir: 'dist',
    assetsDir: 'assets',
    assetsInlineLimit: 0,
    target: browsers,
    cssTarget: browsers,
    reportCompressedSize: false,
  },
  // First the pages for the browser, then what the server draws the public ones with.
  builder: {},
  environments: {
    client: {
      build: {
        // While it is being worked on, pages that are open keep the files they came with.
        emptyOutDir: process.env['PORTICO_DEV'] !== '1',
        manifest: true,
        modulePreload: {
          polyfill: false,
          // What every page has anyway, and what the server names in a public page, is not listed once more.
          resolveDependencies: (_file, files, { hostId, hostType }) =>
            hostType === 'html'
              ? files
              : files.filter(
                  (name) => !/\/(frame|form|rolldown-runtime)-/.test(name) && !/\/public-/.test(hostId),
                ),
        },
        rolldownOptions: {
          // A constant is no reason for a file of its own where two entries share it.
          optimization: { inlineConst: { mode: 'all' } },
          input: entries.map((name) => `${root}/${name}`),
          output: {
            // As short as the build allows: pages name a hundred files, and what is random can't be compressed.
            entryFileNames: 'assets/[name]-[hash:7].js',
            chunkFileNames: 'assets/[name]-[hash:7].js',
            assetFileNames: 'assets/[name]-[hash:6][extname]',
            codeSplitting: {
              // The home page knows the site and no form.
              groups: [
                sharedOf('frame', 'app/public.tsx', 'lib/site.ts'),
                sharedOf('form', 'sign-in/login-page.tsx'),
              ],
            },
          },
        },
      },
    },
    ssr: {
      // Whole by itself: the server's packages are not those of the pages.
      resolve: { noExternal: true },
      define: { 'process.env.NODE_ENV': JSON.stringify('production') },
      build: {
        ssr: true,
        emptyOutDir: false,
        copyPublicDir: false,
        rolldownOptions: { input: `${root}/draw.tsx`, output: { codeSplitting: false } },
      },
    },
  },
});
