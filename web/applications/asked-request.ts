import { askedQuery, goTo } from '#web/lib/navigate.ts';
import { SIGN_IN_AGAIN } from '#web/public-pages/session-check.ts';
import { typedEmail } from '#web/lib/stored-text.ts';

const query = () => new URLSearchParams(askedQuery());

export const askedRequest = () => query().get('request');
export const requestPath = () => `/authorize?request=${askedRequest()}`;
/** The error in the page's address. Anybody may have written it. */
export const askedError = () => ({ code: query().get('error'), reference: query().get('reference') ?? '' });

/** The page where the person gives what an organization waits for, and then comes back. */
export const entryUrl = (needs: 'company' | 'second-step', org: string) => {
  const query = new URLSearchParams({ org, redirectpath: requestPath() });
  return `/account/${needs === 'company' ? 'companyentry' : 'secondstep'}?${query.toString()}`;
};

type Request = { readonly loginHint: string | null };
export const leaveToSignIn = (path: '/login' | '/signup', request: Request): undefined => {
  goTo(signInUrl(path, request), { replace: true });
};

/** The login page for a person who proves themself by a new sign-in. Their session stays until then. */
export const signInAgain = (request: Request) => goTo(`${signInUrl('/login', request)}&${SIGN_IN_AGAIN}=1`);

function signInUrl(path: '/login' | '/signup', { loginHint }: Request): string {
  typedEmail.keep(loginHint ?? undefined);
  const back = new URLSearchParams({ redirectpath: requestPath() });
  return `${path}?${back.toString()}`;
}
