import { askedQuery, goTo } from '#web/lib/navigate.ts';
import { typedEmail } from '#web/lib/stored-text.ts';

const query = () => new URLSearchParams(askedQuery());

/** The id of the request in the page's address. */
export const askedRequest = () => query().get('request');
/** The error in the page's address. Anybody may have written it. */
export const askedError = () => ({ code: query().get('error'), reference: query().get('reference') ?? '' });

/** The page of an organization that asks for a second step; it leads back here. */
export const secondStepUrl = (urlName: string) => {
  const back = new URLSearchParams({ org: urlName, redirect_url: location.href });
  return `/account/secondstep?${back.toString()}`;
};

type Request = { readonly loginHint: string | null };
/** Sends the person to the login or sign-up page, from which they come back. */
export const leaveToSignIn = (path: '/login' | '/signup', { loginHint }: Request): undefined => {
  typedEmail.keep(loginHint ?? undefined);
  const back = new URLSearchParams({ redirectpath: `/authorize?request=${askedRequest()}` });
  goTo(`${path}?${back.toString()}`, { replace: true });
};
