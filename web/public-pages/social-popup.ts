import { POPUP_POLL_MS } from '#contract/limits.ts';
import { signIn } from '#contract/sign-in/calls.ts';
import { type ProviderName, social } from '#contract/social/calls.ts';
import { actFor, call, CallError } from '#web/lib/call.ts';
import { RETURN_QUERY } from './return-query.ts';
import { present } from '#web/lib/failures.ts';
import { storedText } from '#web/lib/stored-text.ts';
import { shownTerms } from './terms-line.tsx';
import { asideTo, leaveFor } from '#web/lib/navigate.ts';

/** Signs in with a provider, in the popup opened by the press, or in this window if that was blocked. */
export async function signInWith(provider: ProviderName, popup: Window | null, button: Element) {
  // Avoids a white window in dark mode.
  if (popup) popup.document.documentElement.style.colorScheme = getComputedStyle(button).colorScheme;
  try {
    if ((await call(signIn.status, {})) === null) {
      // In the name of nobody, so that a person who signs in meanwhile in another tab gets nothing linked.
      actFor('');
      const start = call(social.start, { state: '2', channel: provider, ...shownTerms });
      const { authUrl } = await start.finally(() => actFor());
      return await sendTo(authUrl, popup, button);
    }
    // Somebody is signed in already. The reload leads them on.
    popup?.close();
    location.reload();
  } catch (failure) {
    if (!(failure instanceof CallError)) throw failure;
    popup?.close();
    if (failure.code === 'signed_in_as_another') location.reload();
    else present(failure);
  }
}

/** When the popup closes for any reason, this page reloads and checks who is signed in. */
export async function sendTo(authUrl: string, popup: Window | null, button: Element): Promise<void> {
  // Kept for the last page, in case it must go on instead of this one.
  storedText(() => (popup ?? window).sessionStorage, RETURN_QUERY).keep(asideTo(''));
  if (!popup) return leaveFor(authUrl);
  // `replace`, because the blank page should not be in the history.
  popup.location.replace(authUrl);
  const poll = setInterval(() => {
    if (popup.closed) location.reload();
    // The page shows another step now.
    else if (!button.isConnected) popup.close();
    else return;
    clearInterval(poll);
  }, POPUP_POLL_MS);
}
