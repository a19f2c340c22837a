import { existsSync, readFileSync, statSync, watch } from 'node:fs';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { publicPages } from '#contract/pages.ts';
import { signInMethods } from '#contract/social.ts';
import type { Config } from '#server/config.ts';
import { escapeHtml } from '#server/html.ts';
import { cookiesOf } from '#server/http/cookies.ts';
import { type Drawn, drawPages, isDrawnWhole, type PublicPath } from '#server/http/drawn-pages.ts';
import type { Lookups } from '#server/http/gate.ts';
import type { SecurityHeaders } from '#server/http/headers.ts';
import { siteOf } from '#server/site.ts';

/** Where the build of the web app lies. */
export const builtWebApp = path.join(import.meta.dirname, '../../web/dist');

/** Serves the web app: hashed assets for good, and one of two pages for every other address outside /api and /drive. */
export async function serveWebApp(
  app: FastifyInstance,
  config: Config,
  headers: SecurityHeaders,
  lookups: Pick<Lookups, 'findCaller'>,
  dist: string,
) {
  if (!existsSync(path.join(dist, 'public.html'))) {
    app.log.warn({ dist }, 'the web app is not built; only the calls are served');
    return;
  }
  await app.register(fastifyStatic, {
    root: path.join(dist, 'assets'),
    prefix: '/assets/',
    index: false,
    preCompressed: true,
    decorateReply: false,
    cacheControl: false,
    setHeaders: (reply) => {
      reply.headers(headers.asset);
      // The file name holds a hash of the content, so it never changes under its name.
      reply.header('cache-control', 'public, max-age=31536000, immutable');
    },
  });
  for (const [file, type] of Object.entries(rootFiles))
    app.get(file, (_request, reply) =>
      reply
        .headers(headers.asset)
        .header('cache-control', 'public, max-age=3600')
        .type(type)
        .send(readFileSync(path.join(dist, file))),
    );

  const pages = openPages(app, config, dist);
  const send = async (request: FastifyRequest, reply: FastifyReply, name: PageName) => {
    const read = await pages();
    const isWhole = name !== 'area' && isDrawnWhole(name, request.query as Record<string, unknown>);
    return reply
      .headers(headers.page)
      .headers(isEntrance(name) ? seesItsPopups : {})
      .type('text/html; charset=utf-8')
      .send(read(name, isWhole ? 'whole' : 'frame', marksOf(request, reply)));
  };

  app.get('/', async (request, reply) => {
    const token = cookiesOf(request, reply).session.value;
    // While nobody can tell, the area opens: it asks again itself, and says so when it gets no answer.
    const find = (held: string) => lookups.findCaller(held).catch(() => undefined);
    const signedIn = token !== undefined && (await find(token)) !== null;
    return send(request, reply, signedIn ? 'area' : '/');
  });
  app.get<{ Params: { '*': string } }>('/*', (request, reply) => {
    // As the router decoded it, dots and doubled slashes still in place: what starts like a call never becomes a page.
    const asked = request.params['*'];
    if (noPage.test(asked)) return reply.callNotFound();
    // No page has a dot in its address. A browser that looks for favicon.ico is told the truth; a person is led home.
    if (/\.\w+$/.test(asked)) return asksForPage(request) ? reply.redirect('/') : reply.callNotFound();
    const page = publicPages.find((name) => name === `/${asked}`);
    return send(request, reply, page ?? 'area');
  });
  if (config.dev) reloadOnChange(app, dist);
}

const noPage = /^\/*(api|drive|assets|outbox|metrics)(\/|$)/;
/** Whether somebody opens an address, rather than a page or program asking for a file or a call. */
export const asksForPage = ({ headers, url }: FastifyRequest) =>
  headers.accept?.includes('text/html') === true && !noPage.test(url);

/** What lies beside the pages and is asked for by its plain name. */
const rootFiles = {
  '/icon-dark.svg': 'image/svg+xml',
  '/icon-light.svg': 'image/svg+xml',
  '/robots.txt': 'text/plain; charset=utf-8',
};

type PageName = 'area' | PublicPath;

/** These open a window to a provider, and have to notice when it closes (docs/security.md E7). */
const isEntrance = (name: PageName) => name === '/login' || name === '/signup';
const seesItsPopups = { 'cross-origin-opener-policy': 'same-origin-allow-popups' };

/** What cookies say about the look of a page, as attributes of its root: with them the first paint is right. */
export function marksOf(request: FastifyRequest, reply: FastifyReply): string {
  // The choice of the account menu.
  const theme = ['light', 'dark'].find((name) => name === request.cookies['portico-theme']);
  const method = signInMethods.find((name) => name === cookiesOf(request, reply).method.value);
  return `${theme ? ` data-theme="${theme}"` : ''}${method ? ` data-last-used="${method}"` : ''}`;
}

/** The pages of the build as it is, read and drawn once; in development again after each build. */
function openPages(app: FastifyInstance, config: Config, dist: string) {
  let build = buildOf(dist);
  let pages = readPages(app, config, dist);
  return () => {
    if (config.dev && build !== buildOf(dist)) {
      build = buildOf(dist);
      pages = readPages(app, config, dist);
    }
    return pages;
  };
}

async function readPages(app: FastifyInstance, config: Config, dist: string) {
  const site = siteOf(config);
  const content = JSON.stringify(site)
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;');
  const reload = config.dev ? '<script src="/dev/reload.js" defer></script>' : '';
  const drawn = await drawPages(dist, site).catch((error: unknown): Drawn => {
    app.log.error(error, 'the public pages are not drawn ahead; they come with their script');
    return {};
  });
  const read = (name: PageName, part: 'whole' | 'frame') => {
    const page = readFileSync(path.join(dist, name === 'area' ? 'area.html' : 'public.html'), 'utf8')
      .replace('<!--site-->', () => `<meta name="portico-site" content="${content}">${reload}`)
      .replace('</head>', () => `${ownFiles(dist, name)}</head>`);
    const ahead = name === 'area' ? undefined : drawn[name];
    if (!ahead) return page;
    const mark = part === 'whole' ? ' data-drawn' : '';
    return page
      .replaceAll(/<(script type="module"|link rel="modulepreload")/g, '<$1 fetchpriority="low"')
      .replace(/<title>.*?<\/title>/, () => `<title>${escapeHtml(ahead.title)}</title>`)
      .replace('<div id="root">', () => `<div id="root"${mark}>${ahead[part]}`);
  };
  const kept = new Map<string, string>();
  return (name: PageName, part: 'whole' | 'frame', marks: string) => {
    const key = `${name} ${part}`;
    const page = kept.get(key) ?? read(name, part);
    kept.set(key, page);
    const marked = page.replace('<html', `<html${marks}`);
    const [, theme] = /data-theme="(\w+)"/.exec(marks) ?? [];
    return theme ? marked.replace('content="light dark"', `content="${theme}"`) : marked;
  };
}

type Chunk = { file: string; imports?: string[]; dynamicImports?: string[]; css?: string[] };

/** Asks for a public page's own files along with the entry, which would name them a round trip later. */
function ownFiles(dist: string, name: PageName): string {
  const manifest = JSON.parse(readFileSync(path.join(dist, '.vite/manifest.json'), 'utf8')) as Record<
    string,
    Chunk
  >;
  // By convention /verifyaccount is verify-account-page.tsx; a page that is not found so only comes a little later.
  const base = name === '/' ? 'home' : name.slice(1);
  const pageOf = (module: string) => path.posix.basename(module, '-page.tsx').replaceAll('-', '');
  const page = manifest['public.html']?.dynamicImports?.find((module) => pageOf(module) === base);
  const seen = new Set<string>();
  const withImports = (key: string): Chunk[] => {
    const chunk = manifest[key];
    if (!chunk || seen.has(key)) return [];
    seen.add(key);
    return [chunk, ...(chunk.imports ?? []).flatMap(withImports)];
  };
  // What the entry itself needs stands in the page already.
  withImports('public.html');
  return (page ? withImports(page) : [])
    .flatMap(({ file, css = [] }) => [
      `<link rel="modulepreload" crossorigin href="/${file}">`,
      ...css.map((style) => `<link rel="stylesheet" crossorigin href="/${style}">`),
    ])
    .join('');
}

/** Reloads when what it is told differs from what it was told first: by a new build, or by a server started anew. */
const reloadScript = `let first;
new EventSource('/dev/changes').onmessage = ({ data }) => {
  first ??= data;
  if (data !== first) location.reload();
};`;
/** A build writes for a moment; the page waits until it has been quiet this long. */
const QUIET_MS = 500;

/** Development only: a page asks to be told when build or server have changed, and loads itself again. */
function reloadOnChange(app: FastifyInstance, dist: string) {
  const open = new Set<ServerResponse>();
  app.addHook('preClose', async () => open.forEach((page) => page.end()));
  app.get('/dev/reload.js', (_request, reply) => reply.type('text/javascript').send(reloadScript));
  app.get('/dev/changes', (request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    const tell = () => reply.raw.write(`retry: 300\ndata: ${process.pid} ${buildOf(dist)}\n\n`);
    tell();
    let soon: NodeJS.Timeout | undefined;
    const watcher = watch(dist, () => {
      clearTimeout(soon);
      soon = setTimeout(tell, QUIET_MS);
    });
    open.add(reply.raw);
    request.raw.on('close', () => {
      clearTimeout(soon);
      open.delete(reply.raw);
      watcher.close();
    });
  });
}

/** When the pages were last written. */
const buildOf = (dist: string) =>
  ['public.html', 'area.html', 'draw.js']
    .map((name) => statSync(path.join(dist, name), { throwIfNoEntry: false })?.mtimeMs)
    .join(' ');
