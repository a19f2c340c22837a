import { glob, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, normalizePath, type Plugin, type Rolldown } from 'vite';
import { PRODUCT_NAME } from '#contract/limits.ts';

const root = import.meta.dirname;
// The last two belong to a page that the server writes; it finds them in the manifest.
const entries = ['public.html', 'area.html', 'app/social-return.ts', 'app/social-return.css'];
// Explicit versions, because otherwise the build would rewrite light-dark() and OKLCH for older browsers.
const browsers = ['chrome128', 'edge128', 'firefox130', 'safari18'];
const compress = promisify(brotliCompress);
/** Best for the first views of these pages: small blocks, and one direct code for distances. */
const brotli = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_LGBLOCK]: 16,
    [constants.BROTLI_PARAM_NDIRECT]: 1,
  },
};
const isClient = ({ name }: { name: string }) => name === 'client';

/** Writes `name.br` beside every text file, so that the server never compresses at request time. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    applyToEnvironment: isClient,
    async writeBundle({ dir }) {
      if (!dir) return;
      for await (const name of glob('**/*.{js,css,html,svg,json}', { cwd: dir })) {
        const compressed = await compress(await readFile(`${dir}/${name}`), brotli);
        await writeFile(`${dir}/${name}.br`, compressed);
      }
    },
  };
}

/**
 * Replaces Vite's own chunk loader, which is three times as large: it supports nonces, base paths and older
 * browsers.
 */
const chunkLoader = `
const requests = {};
const ask = (file) => requests[file] ??= new Promise((resolve, reject) => {
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
    requests[file] = undefined;
    reject(Error(href));
  };
  document.head.append(link);
  if (!isStyle) resolve();
});
export const __vitePreload = (load, files = []) => Promise.all(files.map(ask)).then(load);
`;

/** Loads a chunk after its styles, and in parallel the scripts that it imports. */
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
 * Drops the lists of dependencies from these chunks. The server already names a public page's scripts and
 * styles in its HTML. Chunks that forms load later are single files whose styles are already loaded.
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

/** Preloads the font with the page, instead of after its style sheet. */
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
 * Puts modules and their imports into one chunk if several pages share them. A page of two dozen small files
 * costs more, because each file is compressed separately. If two groups contain a module, the first takes it.
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

/** Class names use the file name, which is unique. A random part compresses badly and means nothing. */
const moduleOfName = new Map<string, string>();
function className(local: string, file: string): string {
  const name = path.basename(file).split('.', 1)[0] ?? '';
  if ((moduleOfName.get(name) ?? file) !== file) throw new Error(`two style sheets are called ${name}`);
  moduleOfName.set(name, file);
  return `${name}-${local}`;
}

export default defineConfig({
  root,
  define: {
    'import.meta.env.PRODUCT_NAME': JSON.stringify(PRODUCT_NAME),
    // Leaves React's connection to its developer tools out, except in development.
    ...(process.argv.includes('--watch') ? {} : { __REACT_DEVTOOLS_GLOBAL_HOOK__: 'undefined' }),
  },
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
  // First the pages for the browser, then the script with which the server prerenders the public ones.
  builder: {},
  environments: {
    client: {
      build: {
        // In development, open pages keep the files they were loaded with.
        emptyOutDir: process.env['PORTICO_DEV'] !== '1',
        manifest: true,
        modulePreload: {
          polyfill: false,
          // Leave out files that every page has, and those that the server names in a public page.
          resolveDependencies: (_file, files, { hostId, hostType }) =>
            hostType === 'html'
              ? files
              : files.filter(
                  (name) => !/\/(frame|form|rolldown-runtime)-/.test(name) && !/\/public-/.test(hostId),
                ),
        },
        rolldownOptions: {
          // Inlines constants, so that two entries do not need an extra file to share one.
          optimization: { inlineConst: { mode: 'all' } },
          input: entries.map((name) => `${root}/${name}`),
          output: {
            // Short hashes, because pages name a hundred files and random text does not compress.
            entryFileNames: 'assets/[name]-[hash:7].js',
            chunkFileNames: 'assets/[name]-[hash:7].js',
            assetFileNames: 'assets/[name]-[hash:6][extname]',
            // Chrome compiles the functions of this chunk while it loads it, beside the main thread. Otherwise the
            // main thread would compile each on its first call.
            postBanner: ({ name }) => (name === 'frame' ? '//# allFunctionsCalledOnLoad' : ''),
            codeSplitting: {
              // The home page needs `site` but no form.
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
      // Bundles everything, because the server does not have the packages of the pages.
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
