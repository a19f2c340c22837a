import { POPUP_POLL_MS } from '#contract/limits.ts';
import { type ProviderName, social } from '#contract/social.ts';
import { call, CallError } from '#web/lib/call.ts';
import { present } from '#web/lib/failures.ts';
import { kept } from '#web/lib/kept.ts';
import { asideTo, leaveFor } from '#web/lib/navigate.ts';
import { CARRIED } from '#web/lib/carried.ts';

/**
 * Sends somebody to a provider, in the window that their press opened, or in this one where it was blocked. Once that
 * window is closed, whatever came of it, the page loads itself again and asks who is signed in; nothing is told here.
 */
export async function sendTo(provider: ProviderName, popup: Window | null, button: Element): Promise<void> {
  if (popup) popup.document.documentElement.style.colorScheme = getComputedStyle(button).colorScheme;
  let authUrl: string;
  try {
    ({ authUrl } = await call(social.start, { state: '2', channel: provider }));
  } catch (failure) {
    if (!(failure instanceof CallError)) throw failure;
    popup?.close();
    return present(failure);
  }
  // The page at the end hands it on, where this one is not there to do so.
  kept(() => (popup ?? window).sessionStorage, CARRIED).keep(asideTo(''));
  if (!popup) return leaveFor(authUrl);
  if (popup.closed) return;
  // The blank page is not to be one to go back to.
  popup.location.replace(authUrl);
  const poll = setInterval(() => {
    if (popup.closed) location.reload();
    // This page is at another step already, and has no use for it.
    else if (!button.isConnected) popup.close();
    else return;
    clearInterval(poll);
  }, POPUP_POLL_MS);
}
