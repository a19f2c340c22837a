import { setTimeout as pause } from 'node:timers/promises';
import { SOCIAL_CLIENT } from '#server/testing/providers.ts';
import { codeIn, raw, type RawAnswer } from '#server/testing/raw.ts';
import {
  type Answer,
  type ScriptedProvider,
  type Stage,
  startScriptedProvider,
} from '#server/testing/scripted-provider.ts';
import { measureLeftovers } from './invariants.ts';
import { Ledger } from './ledger.ts';
import { failuresIn, percentile, startLoad, statuses } from './load.ts';
import { atEachSite, type Site } from './site.ts';
import type { Scenario } from './scenario.ts';
import { HOST } from './single.ts';

const chunk = 'x'.repeat(16_384);
const json = { 'content-type': 'application/json' };

/** The ways a provider may misbehave at any of its endpoints. */
const misbehaviour = (elsewhere: string): Readonly<Record<string, Answer>> => ({
  'hangs up': (response) => response.destroy(),
  'never answers': () => undefined,
  'stops in the middle': (response) => response.writeHead(200, json).write('{"access_token": "'),
  redirects: (response) => response.writeHead(302, { location: elsewhere }).end(),
  'answers a megabyte': (response) =>
    response.writeHead(200, json).end(JSON.stringify({ access_token: 'x'.repeat(1_000_000), sub: 'x' })),
  'never stops answering': (response) => {
    response.writeHead(200, json);
    const more = () => {
      while (response.write(chunk));
      response.once('drain', more);
    };
    more();
  },
  'answers garbage': (response) => response.writeHead(200, json).end('{"access_token":'),
  'answers a page': (response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<script>alert(1)</script>'),
  'is out of order': (response) => response.writeHead(503).end(),
});
const stages: readonly Stage[] = ['token', 'userinfo'];
/** A timeout of five seconds, and a margin for a busy machine. */
const ANSWERED_WITHIN_MS = 7000;
const WARM_UP_MS = 10_000;

/** Goes to Facebook and back while one endpoint misbehaves; returns the final page. */
async function visit({ entry }: Pick<Site, 'entry'>, network: string): Promise<RawAnswer & { ms: number }> {
  const headers = { host: HOST, 'x-forwarded-for': network };
  const began = performance.now();
  const start = await raw(entry.url, 'GET', '/api/auth?state=2&channel_type=1', { headers });
  const { response } = JSON.parse(start.text) as { response?: { auth_url: string } };
  const state = new URL(response?.auth_url ?? '').searchParams.get('state') ?? '';
  const cookie = (start.headers['set-cookie'] ?? []).map((line) => line.split(';', 1)[0]).join('; ');
  const query = new URLSearchParams({ code: 'a-code-nobody-may-log', state });
  const page = await raw(entry.url, 'GET', `/api/auth/callback/facebook?${query}`, {
    headers: { ...headers, cookie },
  });
  return { ...page, ms: performance.now() - began };
}

/**
 * Several people at once, each from a different network, so that a wait for a provider must not block others.
 */
async function visits(site: Site, provider: ScriptedProvider, breaches: string[]) {
  let [count, slowestMs] = [0, 0];
  const elsewhere = `${provider.url}/elsewhere`;
  for (const stage of stages)
    for (const [what, answer] of Object.entries(misbehaviour(elsewhere))) {
      provider.misbehaves = { [stage]: answer };
      const pages = await Promise.all([1, 2, 3].map((nth) => visit(site, `203.0.113.${nth}`)));
      for (const { status, text, ms } of pages) {
        count += 1;
        slowestMs = Math.max(slowestMs, ms);
        const isPage = status < 500 && text.includes('Facebook did not answer as it should');
        if (!isPage || !text.includes('href="/login') || text.includes('alert('))
          breaches.push(`${stage} ${what}: ${status} ${codeIn({ status, text, headers: {} })}`);
        if (ms > ANSWERED_WITHIN_MS) breaches.push(`${stage} ${what}: answered after ${ms.toFixed(0)} ms`);
      }
    }
  if (provider.asked.some((path) => path.includes('elsewhere'))) breaches.push('a redirect was followed');
  return { count, slowestMs };
}

async function runHostileProvider(site: Site, provider: ScriptedProvider) {
  const { wire, people } = site;
  const breaches: string[] = [];
  const ledger = new Ledger();
  await using load = startLoad({ wire, people, rate: 20, mix: { writes: 15, signIns: 0 }, ledger });
  // Warms up, because the embedded database opens the files of each table on first use and keeps them open.
  const byTheBook = [await visit(site, '203.0.113.9')];
  await pause(WARM_UP_MS);
  const { result, leftovers } = await measureLeftovers(site.portals, () => visits(site, provider, breaches));
  const samples = await load.stop();
  provider.misbehaves = {};
  byTheBook.push(await visit(site, '203.0.113.9'));
  if (!byTheBook.every(({ text }) => text.includes('You are signed in')))
    breaches.push('nobody gets in by the book');
  if (failuresIn(samples).length > 0) breaches.push(`others were answered ${statuses(samples)}`);
  const secrets = { 'the client secret': [SOCIAL_CLIENT.secret], 'a code or a token': ['nobody-may-log'] };
  breaches.push(...leftovers, ...(await site.breaches({ ledgers: [ledger], secrets })));
  const summary = `${result.count} visits back within ${(result.slowestMs / 1000).toFixed(1)} s; others p99 ${percentile(samples, 99).toFixed(0)} ms`;
  return [{ id: 'L13', breaches, summary } as const];
}

export const hostileProvider: Scenario = {
  ids: ['L13'],
  name: 'A provider of social sign-in that is slow, down or hostile',
  needs: 'places',
  run: async (drill) => {
    await using parts = new AsyncDisposableStack();
    const provider = parts.adopt(await startScriptedProvider(), (it) => it.close());
    const environment = () => ({
      FACEBOOK_CLIENT_ID: SOCIAL_CLIENT.id,
      FACEBOOK_CLIENT_SECRET: SOCIAL_CLIENT.secret,
      FACEBOOK_AUTHORIZE_URL: `${provider.url}/authorize`,
      FACEBOOK_TOKEN_URL: `${provider.url}/token`,
      FACEBOOK_USERINFO_URL: `${provider.url}/userinfo`,
    });
    const run = (site: Site) => runHostileProvider(site, provider);
    return await atEachSite(drill, 'hostile-provider', run, { environment });
  },
};
