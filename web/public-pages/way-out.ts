import type { Input } from '#contract/endpoint.ts';
import { onward } from '#contract/sign-in/onward.ts';
import { ownPageAt } from '#contract/own-page.ts';
import { call, CallError } from '#web/lib/call.ts';
import { leaveFor, onwardTo } from '#web/lib/navigate.ts';
import { returnedUrl, type Way, waysOf } from './onward.ts';
import { site } from '#web/lib/site.ts';

const FOLLOW_UP_PATIENCE_MS = 5000;

/** Leaves by the first destination of the query that works, and then never settles. Settles if none works. */
export async function leaveByQuery(search: string): Promise<void> {
  for (const way of waysOf(new URLSearchParams(search))) {
    // A refused or silent destination is skipped, because the signed-in person must arrive somewhere.
    const address = await addressOf(way).catch(() => undefined);
    if (address !== undefined) await leaveFor(address, { replace: true });
  }
}

async function addressOf(way: Way): Promise<string | undefined> {
  if (way.go === 'application') return addressOfApplication(way);
  if (way.go === 'close') return closeWindow();
  if (way.go === 'test page') return site.signUrl === null ? undefined : `${site.signUrl}/#/sdk/test`;
  const url = await (way.base === 'account' ? askAccounts(way.path) : askSignature(way.path));
  return url === undefined ? undefined : (ownPageAt(url) ?? allowed({ redirectUrl: url, withCode: false }));
}

/** In the default organization, if not in the named one. If that asks for a second step, its page is next. */
async function addressOfApplication({ url, org }: Extract<Way, { go: 'application' }>) {
  try {
    return await allowed({ redirectUrl: url, org });
  } catch (error) {
    const code = org !== undefined && error instanceof CallError && error.code;
    // Its page leads on once the person has given the second step.
    if (code === 'second_step_required') return onwardTo('/account/secondstep');
    if (code !== 'org_not_found') throw error;
    return allowed({ redirectUrl: url });
  }
}

/** Only the server decides which addresses are allowed, and it adds the code. */
async function allowed(input: Input<typeof onward.redirect>) {
  const { url } = await call(onward.redirect, input);
  return url ?? undefined;
}

function closeWindow(): string | Promise<never> {
  window.close();
  // Browsers close only windows opened by a script. In others the person is asked to close the tab.
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
