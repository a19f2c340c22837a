import { POPUP_POLL_MS } from '#contract/limits.ts';
import { signIn } from '#contract/sign-in.ts';
import { type ProviderName, social } from '#contract/social.ts';
import { call, CallError } from '#web/lib/call.ts';
import { CARRIED } from '#web/lib/carried.ts';
import { present } from '#web/lib/failures.ts';
import { kept } from '#web/lib/kept.ts';
import { asideTo, leaveFor } from '#web/lib/navigate.ts';

/** Signs somebody in with a provider, in the window that their press opened, or in this one where that was blocked. */
export async function signInWith(provider: ProviderName, popup: Window | null, button: Element) {
  // No white window in the dark.
  if (popup) popup.document.documentElement.style.colorScheme = getComputedStyle(button).colorScheme;
  try {
    if ((await call(signIn.status, {})) === null) {
      const { authUrl } = await call(social.start, { state: '2', channel: provider });
      return await sendTo(authUrl, popup, button);
    }
    // Another tab has signed somebody in meanwhile. From here nothing is linked to their account: they are led on.
    popup?.close();
    location.reload();
  } catch (failure) {
    if (!(failure instanceof CallError)) throw failure;
    popup?.close();
    present(failure);
  }
}

/**
 * Sends that window to a provider, or this one. When the window is closed, whatever came of it, the page loads itself
 * again and asks who is signed in: it is told nothing.
 */
export async function sendTo(authUrl: string, popup: Window | null, button: Element): Promise<void> {
  // For the page at the end, should it have to go on in this one's place.
  kept(() => (popup ?? window).sessionStorage, CARRIED).keep(asideTo(''));
  if (!popup) return leaveFor(authUrl);
  // The blank page is none to go back to.
  popup.location.replace(authUrl);
  const poll = setInterval(() => {
    if (popup.closed) location.reload();
    // The page is at another step already.
    else if (!button.isConnected) popup.close();
    else return;
    clearInterval(poll);
  }, POPUP_POLL_MS);
}
