import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { SOURCE_LANGUAGE } from '#contract/languages.ts';
import { PRODUCT_NAME } from '#contract/limits.ts';
import type { Destination, RegisteredApplication, Site } from '#contract/site.ts';
import { type Brand, brandNow } from '#server/brand/brand.ts';
import { brandHead, siteOfBrand, withIcon } from '#server/brand/serve.ts';
import { type Clock, MINUTE_MS } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import { escapeHtml } from '#server/html.ts';
import { builtFile, builtLanguages, folderOf } from './built-files.ts';
import {
  type Drawn,
  drawPages,
  metaOf,
  type PublicPath,
  type Query,
  withDestination,
} from './drawn-pages.ts';
import { languageOf } from './language.ts';
import { languageRow } from './language-row.ts';
import { siteOf } from '#server/site.ts';

export type PageRegistry = {
  readonly clock: Clock;
  readonly list: () => Promise<RegisteredApplication[]>;
  /** Undefined for a query that leads to no application. */
  readonly destinationFinder: (query: Query) => (() => Promise<Destination | null>) | undefined;
};

export type PageName = 'area' | PublicPath;

const showsApplications = (name: PageName) => name === 'area' || name === '/';

/** The public pages would only grow by settings that they do not show. */
const siteFor = (name: PageName, site: Site, config: Config): Site => ({
  ...site,
  ...(!showsApplications(name) && { applications: [] }),
  languages: name === 'area' ? config.languages : [],
});

/**
 * Reads and draws the pages of the build, again for other registered applications or another brand, and in development for
 * each build.
 */
export function openPages(app: FastifyInstance, config: Config, registry: PageRegistry, dist: string) {
  let site = siteOf(config);
  let build = buildOf(dist);
  const failed = (error: unknown) => app.log.error(error, 'the registered applications are not read');
  const opened = registry.list().then((applications) => void (site = { ...site, applications }), failed);
  let brand = brandNow();
  const read = (language: string) =>
    opened.then(() => readPages(app, config, { site, brand }, { dist, language }));
  app.languages = builtLanguages(dist, config.languages);
  let pages = new Map<string, Promise<ReadPage>>();
  const pagesOf = (language: string) => {
    const found = pages.get(language) ?? read(language);
    pages.set(language, found);
    return found;
  };
  let drawn = brand;
  let looking: Promise<unknown> = pagesOf(app.languages[0] ?? SOURCE_LANGUAGE);
  let lookAt = registry.clock.now().getTime() + MINUTE_MS;
  app.addHook('preClose', async () => void (await Promise.all([looking, ...pages.values()])));
  /** Requests get the former pages meanwhile, so that none waits for the database or the thread. */
  const look = async () => {
    const applications = await registry.list();
    if (drawn === brand && JSON.stringify(applications) === JSON.stringify(site.applications)) return;
    drawn = brand;
    site = { ...site, applications };
    const fresh = new Map([...pages.keys()].map((language) => [language, read(language)]));
    await Promise.all(fresh.values());
    pages = fresh;
  };
  /** The pages of a request's language. Those of the default are drawn at the start, others when they are first asked for. */
  return (request: FastifyRequest) => {
    if (app.languages.length < config.languages.length) {
      const built = builtLanguages(dist, config.languages);
      // Their pages name each other.
      if (built.length > app.languages.length) pages.clear();
      app.languages = built;
    }
    const now = registry.clock.now().getTime();
    if (now >= lookAt || brand !== brandNow()) {
      brand = brandNow();
      lookAt = now + MINUTE_MS;
      looking = look().catch(failed);
    }
    if (config.dev && build !== buildOf(dist)) {
      build = buildOf(dist);
      pages.clear();
    }
    const language = languageOf(request);
    return { language, pages: pagesOf(language) };
  };
}

type Part = 'whole' | 'frame' | 'named';
type ReadPage = Awaited<ReturnType<typeof readPages>>;

async function readPages(
  app: FastifyInstance,
  config: Config,
  { site: settings, brand }: { site: Site; brand: Brand | null },
  { dist, language }: { dist: string; language: string },
) {
  const folder = folderOf(dist, language);
  const site = { ...settings, ...siteOfBrand(brand, language) };
  const { style, source } = brandHead(brand);
  const reload = config.dev ? '<script src="/dev/reload.js" defer></script>' : '';
  const drawnPages = await drawPages(dist, { site, language }).catch((error: unknown): Drawn => {
    app.log.error(error, 'the public pages are not drawn ahead; they come with their script');
    return {};
  });
  const namedStyle = `<link rel="stylesheet" href="${builtFile(folder, 'public-pages/destination.css')}">`;
  const read = (name: PageName, part: Part) => {
    const built = readFileSync(path.join(folder, name === 'area' ? 'area.html' : 'public.html'), 'utf8')
      .replace('<!--site-->', () => metaOf(siteFor(name, site, config)) + reload)
      .replaceAll('{{product}}', () => escapeHtml(brand?.name ?? PRODUCT_NAME))
      .replace('</head>', () => `${ownFiles(folder, name)}${style}</head>`)
      .replace('<!--languages-->', () => languageRow(language, app.languages));
    const page = withIcon(built, brand?.favicon);
    const html = name === 'area' ? undefined : drawnPages[name];
    if (!html) return page;
    const mark = part === 'frame' ? '' : ' data-drawn';
    return page
      .replaceAll(/<(script type="module"|link rel="modulepreload")/g, '<$1 fetchpriority="low"')
      .replace(/<title>.*?<\/title>/, () => `<title>${escapeHtml(html.title)}</title>`)
      .replace('<div id="root">', () => `<div id="root"${mark}>${html[part]}`);
  };
  const cache = new Map<string, string>();
  const show = (name: PageName, asked: 'whole' | 'frame', marks: string, destination: Destination | null) => {
    const part = destination && asked === 'whole' ? 'named' : asked;
    const key = `${name} ${part}`;
    const drawn = cache.get(key) ?? read(name, part);
    cache.set(key, drawn);
    const page = destination ? withDestination(drawn, destination, namedStyle) : drawn;
    const html = page.replace('<html', `<html${marks}`);
    const [, theme] = /data-theme="(\w+)"/.exec(marks) ?? [];
    return theme ? html.replace('content="light dark"', `content="${theme}"`) : html;
  };
  return { show, source };
}

/** The operator's desk, which speaks English everywhere; undefined if it is not built. */
export function readDeskPage(config: Config, dist: string) {
  const file = path.join(dist, 'desk.html');
  if (!existsSync(file)) return undefined;
  const brand = brandNow();
  const { style, source } = brandHead(brand);
  const site = { ...siteOf(config), ...siteOfBrand(brand, SOURCE_LANGUAGE) };
  const page = readFileSync(file, 'utf8')
    .replace('<!--site-->', () => metaOf(site))
    .replace('</head>', () => `${style}</head>`);
  return { html: withIcon(page, brand?.favicon), source };
}

type Chunk = { file: string; imports?: string[]; isEntry?: boolean; css?: string[] };

/** Links to a public page's own files. The entry finds the first one, the page itself, by its id. */
function ownFiles(dist: string, name: PageName): string {
  const manifest = JSON.parse(readFileSync(path.join(dist, '.vite/manifest.json'), 'utf8')) as Record<
    string,
    Chunk
  >;
  // The page of /verifyaccount is verify-account-page.tsx. A page with another name only loads later.
  const base = name === '/' ? 'home' : name.slice(1);
  const pageOf = (module: string) => path.posix.basename(module, '-page.tsx').replaceAll('-', '');
  const page = Object.keys(manifest).find((module) => manifest[module]?.isEntry && pageOf(module) === base);
  const seen = new Set<string>();
  const withImports = (key: string): Chunk[] => {
    const chunk = manifest[key];
    if (!chunk || seen.has(key)) return [];
    seen.add(key);
    return [chunk, ...(chunk.imports ?? []).flatMap(withImports)];
  };
  // Counts the entry's own files as seen, because the page links them already.
  withImports('public.html');
  return (page ? withImports(page) : [])
    .flatMap(({ file, css = [] }, at) => [
      `<link rel="modulepreload"${at === 0 ? ' id="page"' : ''} crossorigin href="/${file}">`,
      ...css.map((style) => `<link rel="stylesheet" crossorigin href="/${style}">`),
    ])
    .join('');
}

export const buildOf = (dist: string) =>
  ['public.html', 'area.html', 'draw.js']
    .map((name) => statSync(path.join(dist, name), { throwIfNoEntry: false })?.mtimeMs)
    .join(' ');
