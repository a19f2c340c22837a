import { existsSync, readFileSync, watch } from 'node:fs';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import fastifyStatic, { type FastifyStaticOptions } from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#contract/errors.ts';
import { besidePages } from '#contract/own-page.ts';
import { isAreaPath, publicPages } from '#contract/pages.ts';
import { type Destination, THEME_COOKIE } from '#contract/site.ts';
import { signInMethods } from '#contract/social/calls.ts';
import { allowing } from '#server/brand/serve.ts';
import type { Config } from '#server/config.ts';
import { buildOf, openPages, readDeskPage, type PageName, type PageRegistry } from './built-pages.ts';
import { cookiesOf } from './cookies.ts';
import { isDrawnWhole, type Query } from './drawn-pages.ts';
import type { Lookups } from './gate.ts';
import type { SecurityHeaders } from './headers.ts';
import { serveLanguages } from './language-row.ts';
import { queueKeyOf, waitedMs } from './admission.ts';

export const builtWebApp = path.join(import.meta.dirname, '../../web/dist');

/** Serves the web app: immutable assets, and one of two pages at all addresses outside /api and /drive. */
export async function serveWebApp(
  app: FastifyInstance,
  config: Config,
  headers: SecurityHeaders,
  lookups: Pick<Lookups, 'findCaller'>,
  registry: PageRegistry,
  dist: string,
  mayEnterDesk: (request: FastifyRequest, reply: FastifyReply) => Promise<boolean> = async () => false,
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
    const sitemap = file === '/robots.txt' ? `Sitemap: ${config.publicUrl.origin}/sitemap.xml\n` : '';
    const bytes = readFileSync(path.join(dist, file), 'utf8') + sitemap;
    app.get(file, memory, (_request, reply) =>
      reply.headers(headers.asset).header('cache-control', 'public, max-age=3600').type(type).send(bytes),
    );
  }

  const pagesFor = openPages(app, config, registry, dist);
  await serveLanguages(app, config);
  type Call = [request: FastifyRequest, reply: FastifyReply];
  const send = async ([request, reply]: Call, name: PageName, destination: Destination | null = null) => {
    const { language, pages } = pagesFor(request);
    const { show, source } = await pages;
    const isWhole = name !== 'area' && isDrawnWhole(name, request.query as Query);
    return reply
      .headers(allowing(headers.page, source))
      .headers(isEntrance(name) ? mayOpenPopups : {})
      .headers({ 'content-language': language, vary: 'Cookie, Accept-Language' })
      .type('text/html; charset=utf-8')
      .send(show(name, isWhole ? 'whole' : 'frame', marksOf(request, reply), destination));
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
  // Password managers lead their owners here (W3C, A Well-Known URL for Changing Passwords).
  app.get('/.well-known/change-password', memory, async (_request, reply) =>
    reply.redirect('/account/myprofile#change-password'),
  );
  for (const page of beforeSignIn)
    app.get(page, { config: { bound: 'readers' } }, async (request, reply) => {
      const find = registry.destinationFinder(request.query as Query);
      return send([request, reply], page, find && (await readNow([request, reply], find)));
    });
  app.get<{ Params: { '*': string } }>('/*', memory, async (request, reply) => {
    // The decoded path keeps dots and double slashes, so an address that starts like a call is never a page.
    const address = request.params['*'];
    if (noPage.test(address)) return reply.callNotFound();
    // A copied link may bring along the full stop or bracket after it.
    const [, link] = /^(\w[\w/-]*)[\s.,;)>\]}"'”’]+$/u.exec(address) ?? [];
    if (link !== undefined) return reply.redirect(`/${link}`);
    // No page has a dot in its address. A person gets a page that leads on, a browser that asks for favicon.ico does not.
    if (/\.\w+$/.test(address) && !asksForPage(request)) return reply.callNotFound();
    if (address === 'desk' && (await readNow([request, reply], () => mayEnterDesk(request, reply)))) {
      const desk = readDeskPage(config, dist);
      if (desk)
        return reply
          .headers(allowing(headers.page, desk.source))
          .type('text/html; charset=utf-8')
          .send(desk.html);
    }
    const page = publicPages.find((name) => name === `/${address}`);
    if (!page && !isAreaPath(`/${address}`)) reply.code(404);
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

const rootFiles = {
  '/icon-dark.svg': 'image/svg+xml',
  '/icon-light.svg': 'image/svg+xml',
  '/robots.txt': 'text/plain; charset=utf-8',
};

/** The pages that lead to a sign-in, which name the application behind it. */
const beforeSignIn = ['/login', '/signup', '/forgotpassword', '/verifyaccount'] as const;

/** These pages open a provider's window and must notice when it closes (docs/security.md E7). */
const isEntrance = (name: PageName) => name === '/login' || name === '/signup';
const mayOpenPopups = { 'cross-origin-opener-policy': 'same-origin-allow-popups' };

/** Theme and last sign-in method as attributes of the page's root, so that the first paint is right. */
export function marksOf(request: FastifyRequest, reply: FastifyReply): string {
  const theme = ['light', 'dark'].find((name) => name === request.cookies[THEME_COOKIE]);
  const method = signInMethods.find((name) => name === cookiesOf(request, reply).method.value);
  return `${theme ? ` data-theme="${theme}"` : ''}${method ? ` data-last-used="${method}"` : ''}`;
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
