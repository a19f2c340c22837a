import { existsSync, readFileSync, statSync, watch } from 'node:fs';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import fastifyStatic, { type FastifyStaticOptions } from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#contract/errors.ts';
import { besidePages } from '#contract/own-page.ts';
import { publicPages } from '#contract/pages.ts';
import { type Destination, type RegisteredApplication, type Site, THEME_COOKIE } from '#contract/site.ts';
import { signInMethods } from '#contract/social/calls.ts';
import { type Clock, MINUTE_MS } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import { escapeHtml } from '#server/html.ts';
import { builtFile } from '#server/http/built-files.ts';
import { cookiesOf } from '#server/http/cookies.ts';
import {
  type Drawn,
  drawPages,
  isDrawnWhole,
  metaOf,
  type PublicPath,
  type Query,
  withDestination,
} from '#server/http/drawn-pages.ts';
import type { Lookups } from '#server/http/gate.ts';
import type { SecurityHeaders } from '#server/http/headers.ts';
import { queueKeyOf, waitedMs } from '#server/http/admission.ts';
import { siteOf } from '#server/site.ts';

export const builtWebApp = path.join(import.meta.dirname, '../../web/dist');

export type Registry = {
  readonly clock: Clock;
  readonly list: () => Promise<RegisteredApplication[]>;
  /** Undefined for a query that leads to no application. */
  readonly destinationFinder: (query: Query) => (() => Promise<Destination | null>) | undefined;
};

/** Serves the web app: immutable assets, and one of two pages at all addresses outside /api and /drive. */
export async function serveWebApp(
  app: FastifyInstance,
  config: Config,
  headers: SecurityHeaders,
  lookups: Pick<Lookups, 'findCaller'>,
  registry: Registry,
  dist: string,
) {
  if (!existsSync(path.join(dist, 'public.html'))) {
    app.log.warn({ dist }, 'the web app is not built; only the calls are served');
    return;
  }
  await app.register(async (assets) => {
    // The plugin does not set a bound for its routes.
    assets.addHook('onRoute', (route) => {
      route.config = { ...route.config, bound: 'file' };
    });
    await assets.register(fastifyStatic, assetsOf(dist, headers));
  });
  const memory = { config: { bound: 'memory' } } as const;
  for (const [file, type] of Object.entries(rootFiles)) {
    const bytes = readFileSync(path.join(dist, file));
    app.get(file, memory, (_request, reply) =>
      reply.headers(headers.asset).header('cache-control', 'public, max-age=3600').type(type).send(bytes),
    );
  }

  const pages = openPages(app, config, registry, dist);
  type Call = [request: FastifyRequest, reply: FastifyReply];
  const send = async ([request, reply]: Call, name: PageName, destination: Destination | null = null) => {
    const read = await pages();
    const isWhole = name !== 'area' && isDrawnWhole(name, request.query as Query);
    return reply
      .headers(headers.page)
      .headers(isEntrance(name) ? mayOpenPopups : {})
      .type('text/html; charset=utf-8')
      .send(read(name, isWhole ? 'whole' : 'frame', marksOf(request, reply), destination));
  };
  /** A reader of the database in its queue; undefined if it cannot answer now. */
  const readNow = async <T>([request, reply]: Call, work: () => Promise<T>) => {
    const answer = await app.admission
      .readers(work, queueKeyOf(request, reply), waitedMs(request))
      .catch(() => undefined);
    return answer instanceof Refusal ? undefined : answer;
  };

  app.get('/', { config: { bound: 'readers' } }, async (request, reply) => {
    const token = cookiesOf(request, reply).session.value;
    // If the session cannot be checked now, the area opens: it asks again itself, and shows a failure.
    const find = (session: string) => readNow([request, reply], () => lookups.findCaller(session));
    const isSignedIn = token !== undefined && (await find(token)) !== null;
    return send([request, reply], isSignedIn ? 'area' : '/');
  });
  for (const page of beforeSignIn)
    app.get(page, { config: { bound: 'readers' } }, async (request, reply) => {
      const find = registry.destinationFinder(request.query as Query);
      return send([request, reply], page, find && (await readNow([request, reply], find)));
    });
  app.get<{ Params: { '*': string } }>('/*', memory, (request, reply) => {
    // The decoded path keeps dots and double slashes, so an address that starts like a call is never a page.
    const address = request.params['*'];
    if (noPage.test(address)) return reply.callNotFound();
    // A copied link may bring along the full stop or bracket after it.
    const [, link] = /^(\w[\w/-]*)[\s.,;)>\]}"'”’]+$/u.exec(address) ?? [];
    if (link !== undefined) return reply.redirect(`/${link}`);
    // No page has a dot in its address. A browser that asks for favicon.ico gets 404, a person is redirected.
    if (/\.\w+$/.test(address)) return asksForPage(request) ? reply.redirect('/') : reply.callNotFound();
    const page = publicPages.find((name) => name === `/${address}`);
    return send([request, reply], page ?? 'area');
  });
  if (config.dev) reloadOnChange(app, dist);
}

const assetsOf = (dist: string, headers: SecurityHeaders): FastifyStaticOptions => ({
  root: path.join(dist, 'assets'),
  prefix: '/assets/',
  index: false,
  preCompressed: true,
  decorateReply: false,
  cacheControl: false,
  setHeaders: (reply) => {
    reply.headers(headers.asset);
    // The file name contains a hash of the content.
    reply.header('cache-control', 'public, max-age=31536000, immutable');
  },
});

const noPage = new RegExp(String.raw`^/*(${besidePages}|\.well-known)(/|$)`);
/** Whether a person opens an address in a browser; pages and programs request files and calls. */
export const asksForPage = ({ headers, url }: FastifyRequest) =>
  headers.accept?.includes('text/html') === true && !noPage.test(url);

/** Files of the build with fixed names. */
const rootFiles = {
  '/icon-dark.svg': 'image/svg+xml',
  '/icon-light.svg': 'image/svg+xml',
  '/robots.txt': 'text/plain; charset=utf-8',
};

type PageName = 'area' | PublicPath;

/** The pages that lead to a sign-in, which name the application behind it. */
const beforeSignIn = ['/login', '/signup', '/forgotpassword', '/verifyaccount'] as const;

/** The other pages would only grow by them. */
const showsApplications = (name: PageName) => name === 'area' || name === '/';

/** These pages open a provider's window and must notice when it closes (docs/security.md E7). */
const isEntrance = (name: PageName) => name === '/login' || name === '/signup';
const mayOpenPopups = { 'cross-origin-opener-policy': 'same-origin-allow-popups' };

/** Theme and last sign-in method as attributes of the page's root, so that the first paint is right. */
export function marksOf(request: FastifyRequest, reply: FastifyReply): string {
  const theme = ['light', 'dark'].find((name) => name === request.cookies[THEME_COOKIE]);
  const method = signInMethods.find((name) => name === cookiesOf(request, reply).method.value);
  return `${theme ? ` data-theme="${theme}"` : ''}${method ? ` data-last-used="${method}"` : ''}`;
}

/** Reads and draws the pages of the build, again for other registered applications, and in development for each build. */
function openPages(app: FastifyInstance, config: Config, registry: Registry, dist: string) {
  let site = siteOf(config);
  let build = buildOf(dist);
  const failed = (error: unknown) => app.log.error(error, 'the registered applications are not read');
  let pages = registry
    .list()
    .then((applications) => void (site = { ...site, applications }), failed)
    .then(() => readPages(app, config, site, dist));
  let lookAt = registry.clock.now().getTime() + MINUTE_MS;
  let looking: Promise<unknown> = pages;
  app.addHook('preClose', async () => void (await looking));
  /** Requests get the former pages meanwhile, so that none waits for the database or the thread. */
  const look = async () => {
    const applications = await registry.list();
    if (JSON.stringify(applications) === JSON.stringify(site.applications)) return;
    const newSite = { ...site, applications };
    const newPages = await readPages(app, config, newSite, dist);
    site = newSite;
    pages = Promise.resolve(newPages);
  };
  return () => {
    const now = registry.clock.now().getTime();
    if (now >= lookAt) {
      lookAt = now + MINUTE_MS;
      looking = look().catch(failed);
    }
    if (config.dev && build !== buildOf(dist)) {
      build = buildOf(dist);
      pages = readPages(app, config, site, dist);
    }
    return pages;
  };
}

type Part = 'whole' | 'frame' | 'named';

async function readPages(app: FastifyInstance, config: Config, site: Site, dist: string) {
  const reload = config.dev ? '<script src="/dev/reload.js" defer></script>' : '';
  const drawnPages = await drawPages(dist, site).catch((error: unknown): Drawn => {
    app.log.error(error, 'the public pages are not drawn ahead; they come with their script');
    return {};
  });
  const namedStyle = `<link rel="stylesheet" href="${builtFile(dist, 'public-pages/destination.css')}">`;
  const read = (name: PageName, part: Part) => {
    const page = readFileSync(path.join(dist, name === 'area' ? 'area.html' : 'public.html'), 'utf8')
      .replace('<!--site-->', () => metaOf(showsApplications(name) ? site : siteOf(config)) + reload)
      .replace('</head>', () => `${ownFiles(dist, name)}</head>`);
    const html = name === 'area' ? undefined : drawnPages[name];
    if (!html) return page;
    const mark = part === 'frame' ? '' : ' data-drawn';
    return page
      .replaceAll(/<(script type="module"|link rel="modulepreload")/g, '<$1 fetchpriority="low"')
      .replace(/<title>.*?<\/title>/, () => `<title>${escapeHtml(html.title)}</title>`)
      .replace('<div id="root">', () => `<div id="root"${mark}>${html[part]}`);
  };
  const cache = new Map<string, string>();
  return (name: PageName, asked: 'whole' | 'frame', marks: string, destination: Destination | null) => {
    const part = destination && asked === 'whole' ? 'named' : asked;
    const key = `${name} ${part}`;
    const drawn = cache.get(key) ?? read(name, part);
    cache.set(key, drawn);
    const page = destination ? withDestination(drawn, destination, namedStyle) : drawn;
    const html = page.replace('<html', `<html${marks}`);
    const [, theme] = /data-theme="(\w+)"/.exec(marks) ?? [];
    return theme ? html.replace('content="light dark"', `content="${theme}"`) : html;
  };
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

/** Reloads after a new build or a restart of the server: both change the data of the event. */
const reloadScript = `let first;
new EventSource('/dev/changes').onmessage = ({ data }) => {
  first ??= data;
  if (data !== first) location.reload();
};`;
/** A build writes several files: pages reload when none has changed for this long. */
const QUIET_MS = 500;

/** Development only: pages reload when the build or the server has changed. */
function reloadOnChange(app: FastifyInstance, dist: string) {
  const open = new Set<ServerResponse>();
  app.addHook('preClose', async () => open.forEach((page) => page.end()));
  const own = { config: { bound: 'development' } } as const;
  app.get('/dev/reload.js', own, (_request, reply) => reply.type('text/javascript').send(reloadScript));
  app.get('/dev/changes', own, (request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    const send = () => reply.raw.write(`retry: 300\ndata: ${process.pid} ${buildOf(dist)}\n\n`);
    send();
    let soon: NodeJS.Timeout | undefined;
    const watcher = watch(dist, () => {
      clearTimeout(soon);
      soon = setTimeout(send, QUIET_MS);
    });
    open.add(reply.raw);
    request.raw.on('close', () => {
      clearTimeout(soon);
      open.delete(reply.raw);
      watcher.close();
    });
  });
}

/** The modification times of the pages. */
const buildOf = (dist: string) =>
  ['public.html', 'area.html', 'draw.js']
    .map((name) => statSync(path.join(dist, name), { throwIfNoEntry: false })?.mtimeMs)
    .join(' ');
