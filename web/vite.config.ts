// Builds the pages for one language, as few and small files as the first view of each page allows.
import { globSync } from 'node:fs';
import { glob, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, normalizePath, type Plugin, type Rolldown } from 'vite';
import { SOURCE_LANGUAGE } from '#contract/languages.ts';
import { publicPages } from '#contract/pages.ts';
import { pageWords, wordsIn } from '#tools/words/plugin.ts';
import { languages } from '#words/languages.ts';

const root = import.meta.dirname;
/** Each language has its own build. That of English draws the pages of all. */
const language = process.env['BUILD_LANGUAGE'] ?? SOURCE_LANGUAGE;
const isSource = language === SOURCE_LANGUAGE;
const assets = isSource ? 'assets' : `assets/${language}`;
const words = pageWords(language);
const ownLanguage = languages.find(({ tag }) => tag === language);
/** Geist has Latin letters only; other scripts use the system's fonts. */
const isLatin = new Intl.Locale(language).maximize().script === 'Latn';
/** The page of /verifyaccount is verify-account-page.tsx. */
const publicNames = new Set(['home', ...publicPages.map((name) => name.slice(1))]);
const isPublicPage = (file: string) => publicNames.has(path.basename(file, '-page.tsx').replaceAll('-', ''));
const publicFiles = globSync('*/*-page.tsx', { cwd: root }).filter(isPublicPage);
// All but the first two belong to pages that the server writes; it finds them in the manifest.
const entries = [
  'public.html',
  'area.html',
  'app/social-return.ts',
  'app/social-return.css',
  'public-pages/destination.css',
  ...publicFiles,
];
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
const isForBrowsers = ({ name }: { name: string }) => name === 'client' || name === 'desk';

/** Writes `name.br` beside every text file, so that the server never compresses at request time. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    applyToEnvironment: isForBrowsers,
    async writeBundle({ dir }, bundle) {
      if (!dir) return;
      for await (const name of glob('**/*.{js,css,html,svg,json}', { cwd: dir })) {
        if (this.environment.name === 'desk' && !(name in bundle)) continue;
        const compressed = await compress(await readFile(`${dir}/${name}`), brotli);
        await writeFile(`${dir}/${name}.br`, compressed);
      }
    },
  };
}

function ownStyles(): Plugin {
  const left = [
    isLatin ? 'other-scripts' : 'fonts',
    ...(words.DIRECTION === 'rtl' ? [] : ['mirrored']),
    ...(ownLanguage?.hasLongWords ? [] : ['long-words']),
  ];
  const imports = new RegExp(`@import '(\\./|\\.\\./ui/)(${left.join('|')}).css';`, 'g');
  return {
    name: 'own-styles',
    enforce: 'pre',
    // Vite does not transform what another style sheet imports, so the page of a social sign-in gets the content.
    async transform(code, id) {
      if (!/\/(base|social-return)\.css$/.test(id)) return null;
      const base = (await readFile(`${import.meta.dirname}/ui/base.css`, 'utf8')).replaceAll(
        "'./",
        "'../ui/",
      );
      return code.replace("@import '../ui/base.css';", () => base).replaceAll(imports, '');
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

/** Puts a finished build beside that of English. Its pages come last, because by them the server knows it. */
function moveBesideEnglish(): Plugin {
  const dist = `${root}/dist`;
  const move = async (from: string, to: string) => {
    await rm(to, { recursive: true, force: true });
    await rename(from, to);
  };
  return {
    name: 'move-beside-english',
    apply: 'build',
    applyToEnvironment: isClient,
    async closeBundle() {
      await move(`${dist}/new-${language}/${assets}`, `${dist}/${assets}`);
      await move(`${dist}/new-${language}`, `${dist}/${language}`);
    },
  };
}

/** The modules that these load, at once or also late. */
function loadedBy(modules: readonly string[], context: Rolldown.ChunkingContext, isLateToo = false) {
  const all = new Set<string>();
  const follow = (id: string) => {
    if (all.has(id)) return;
    all.add(id);
    const { importedIds = [], dynamicallyImportedIds = [] } = context.getModuleInfo(id) ?? {};
    for (const imported of [...importedIds, ...(isLateToo ? dynamicallyImportedIds : [])]) follow(imported);
  };
  for (const module of modules) follow(normalizePath(`${root}/${module}`));
  return all;
}

/** Into one chunk if several pages share them: small files compress badly. The first of two groups takes a module. */
function sharedOf(
  name: string,
  modules: readonly string[],
  without: readonly string[] = [],
): Rolldown.CodeSplittingGroup {
  let isChosen: ((id: string) => boolean) | undefined;
  const choose = (context: Rolldown.ChunkingContext) => {
    const [chosen, left] = [loadedBy(modules, context), loadedBy(without, context, true)];
    return (id: string) => chosen.has(id) && !left.has(id);
  };
  return {
    debugName: name,
    name: (id, context) => ((isChosen ??= choose(context))(id) ? name : null),
    minShareCount: 2,
    includeDependenciesRecursively: false,
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
    ...Object.fromEntries(
      Object.entries(words).map(([name, text]) => [`import.meta.env.${name}`, JSON.stringify(text)]),
    ),
    // Leaves React's connection to its developer tools out, except in development.
    ...(process.argv.includes('--watch') ? {} : { __REACT_DEVTOOLS_GLOBAL_HOOK__: 'undefined' }),
  },
  plugins: [
    wordsIn(language),
    react(),
    ownStyles(),
    isLatin && preloadFont(),
    precompress(),
    !isSource && moveBesideEnglish(),
  ],
  css: { modules: { generateScopedName: (local, file) => className(local, file.split('?', 1)[0] ?? '') } },
  build: {
    outDir: isSource ? 'dist' : `dist/new-${language}`,
    copyPublicDir: isSource,
    assetsDir: assets,
    assetsInlineLimit: 0,
    target: browsers,
    cssTarget: browsers,
    reportCompressedSize: false,
  },
  // First the pages for the browser, then the script with which the server prerenders the public ones.
  builder: {
    buildApp: async (builder) => {
      const { client, ssr, desk } = builder.environments;
      for (const environment of isSource ? [client, ssr, desk] : [client])
        if (environment) await builder.build(environment);
    },
  },
  environments: {
    client: {
      build: {
        // In development, open pages keep the files they were loaded with.
        emptyOutDir: process.env['PORTICO_DEV'] !== '1',
        manifest: true,
        modulePreload: {
          polyfill: false,
          // Leave out files that every page has. A single file loads by its import alone.
          resolveDependencies: (_file, files, { hostType }) => {
            const own = files.filter((name) => !/\/(frame|form|rolldown-runtime)-/.test(name));
            return hostType === 'html' ? files : own.length > 1 ? own : [];
          },
        },
        rolldownOptions: {
          // Inlines constants, so that two entries do not need an extra file to share one.
          optimization: { inlineConst: { mode: 'all' } },
          input: entries.map((name) => `${root}/${name}`),
          preserveEntrySignatures: 'allow-extension',
          output: {
            // Short hashes, because pages name a hundred files and random text does not compress.
            entryFileNames: `${assets}/[name]-[hash:7].js`,
            chunkFileNames: `${assets}/[name]-[hash:7].js`,
            assetFileNames: `${assets}/[name]-[hash:6][extname]`,
            // Chrome compiles this chunk's functions while it loads it, instead of each at its first call.
            postBanner: ({ name }) => (name === 'frame' ? '//# allFunctionsCalledOnLoad' : ''),
            codeSplitting: {
              // The home page needs these but no form.
              groups: [
                // Only sign-in and sign-up need it.
                {
                  name: 'company-offer',
                  test: /\/(company-offer|asked-company)\.tsx?$/,
                  includeDependenciesRecursively: false,
                },
                sharedOf('frame', [
                  'app/public.tsx',
                  'lib/site.ts',
                  'public-pages/shown-once.ts',
                  'lib/stored-text.ts',
                ]),
                sharedOf('form', ['sign-in/login-page.tsx']),
                sharedOf('shell', ['app/area.tsx'], ['app/public.tsx', ...publicFiles]),
              ],
            },
          },
        },
      },
    },
    // Apart, so that no other page loads anything of it or shares a file with it.
    desk: {
      consumer: 'client',
      build: {
        emptyOutDir: false,
        copyPublicDir: false,
        rolldownOptions: {
          input: `${root}/desk.html`,
          output: {
            entryFileNames: 'assets/desk/[name]-[hash:7].js',
            chunkFileNames: 'assets/desk/[name]-[hash:7].js',
            assetFileNames: 'assets/desk/[name]-[hash:6][extname]',
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
