import { existsSync } from 'node:fs';
import { glob, readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, normalizePath, type Plugin, type Rolldown } from 'vite';

const root = import.meta.dirname;
const entries = ['public.html', 'area.html', 'specimen.html'].filter((name) => existsSync(`${root}/${name}`));
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
 * One chunk of what a module and all it imports share with other pages: a page that starts with two dozen
 * small files pays for each, as compression begins anew. Of two groups the first takes what both have.
 */
function sharedOf(name: string, module: string): Rolldown.CodeSplittingGroup {
  const all = new Set<string>();
  const follow = (id: string, context: Rolldown.ChunkingContext) => {
    if (all.has(id)) return;
    all.add(id);
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) follow(imported, context);
  };
  return {
    debugName: name,
    name: (id, context) => {
      follow(normalizePath(`${root}/${module}`), context);
      return all.has(id) ? name : null;
    },
    minShareCount: 2,
  };
}

export default defineConfig({
  root,
  plugins: [react(), preloadFont(), precompress()],
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
          // What the public pages need stands in the page itself: the server names it.
          resolveDependencies: (_file, files, { hostId }) => (hostId.includes('public-') ? [] : files),
        },
        rolldownOptions: {
          input: entries.map((name) => `${root}/${name}`),
          output: {
            codeSplitting: {
              groups: [sharedOf('frame', 'app/public.tsx'), sharedOf('form', 'sign-in/login-page.tsx')],
            },
          },
        },
      },
    },
    ssr: {
      build: {
        ssr: true,
        emptyOutDir: false,
        copyPublicDir: false,
        rolldownOptions: { input: `${root}/draw.tsx`, output: { codeSplitting: false } },
      },
    },
  },
});
