import type { Input } from '#contract/endpoint.ts';
import { onward } from '#contract/onward.ts';
import { call, CallError } from '#web/lib/call.ts';
import { leaveFor, ownPath } from '#web/lib/navigate.ts';
import { returnedUrl, type Way, waysOf } from '#web/lib/onward.ts';
import { site } from '#web/lib/site.ts';

const FOLLOW_UP_PATIENCE_MS = 5000;

/** Leaves by the first way of the query that leads somewhere, and never settles then; settles when none does. */
export async function leaveByQuery(search: string): Promise<void> {
  for (const way of waysOf(new URLSearchParams(search))) {
    // What is not allowed, or does not answer, is passed over: the person is in, and must arrive somewhere.
    const address = await addressOf(way).catch(() => undefined);
    if (address !== undefined) await leaveFor(address, { replace: true });
  }
}

async function addressOf(way: Way): Promise<string | undefined> {
  if (way.go === 'application') return addressOfApplication(way);
  if (way.go === 'close') return closeWindow();
  if (way.go === 'test page') return site.signUrl === null ? undefined : `${site.signUrl}/#/sdk/test`;
  const url = await (way.base === 'account' ? askAccounts(way.path) : askSignature(way.path));
  return url === undefined ? undefined : (ownPath(url) ?? allowed({ redirectUrl: url, withCode: false }));
}

/** Whoever does not belong to the organization that is named comes from their default one; where asking failed, nobody goes on by this way. */
async function addressOfApplication({ url, org }: Extract<Way, { go: 'application' }>) {
  try {
    return await allowed({ redirectUrl: url, org });
  } catch (error) {
    const isElsewhere = org !== undefined && error instanceof CallError && error.code === 'org_not_found';
    if (!isElsewhere) throw error;
    return allowed({ redirectUrl: url });
  }
}

/** The server alone judges who may be gone on to, and adds the code. */
async function allowed(input: Input<typeof onward.redirect>) {
  const { url } = await call(onward.redirect, input);
  return url ?? undefined;
}

function closeWindow(): string | Promise<never> {
  window.close();
  // Browsers close only windows that a script opened; in any other the person is asked to.
  return window.closed ? new Promise<never>(() => {}) : '/closetab';
}

const askAccounts = async (path: string) => (await call(onward.next, { path })).url;

async function askSignature(path: string) {
  if (site.signUrl === null) return undefined;
  const response = await fetch(`${site.signUrl}/${path}`, {
    credentials: 'include',
    redirect: 'error',
    signal: AbortSignal.timeout(FOLLOW_UP_PATIENCE_MS),
  });
  return response.ok ? returnedUrl(await response.json()) : undefined;
}
