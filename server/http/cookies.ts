import '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignInMethod } from '#contract/social.ts';

/** One cookie of a request and its answer. */
type Cookie = {
  readonly value: string | undefined;
  set(value: string): void;
  clear(): void;
};

declare module 'fastify' {
  interface FastifyInstance {
    cookieRules: CookieRules;
  }
}
/** How cookies are guarded: the __Host- prefix where the portal is served over https; how long each is kept. */
type CookieRules = { readonly secure: boolean; readonly maxAgeSeconds: Record<CookieName, number> };
type CookieName = 'session' | 'challenge' | 'device' | 'oauth' | 'method';

const names: Record<CookieName, string> = {
  session: 'portico',
  challenge: 'portico-challenge',
  device: 'portico-device',
  oauth: 'portico-oauth',
  method: 'portico-method',
};

/** The request's cookies by purpose; HttpOnly, SameSite=Lax, Path=/, no Domain (docs/security.md D2). */
export function cookiesOf(request: FastifyRequest, reply: FastifyReply): Record<CookieName, Cookie> {
  const { secure, maxAgeSeconds } = request.server.cookieRules;
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
  const cookie = (purpose: CookieName): Cookie => {
    const name = secure ? `__Host-${names[purpose]}` : names[purpose];
    return {
      value: request.cookies[name],
      set: (value) => void reply.setCookie(name, value, { ...options, maxAge: maxAgeSeconds[purpose] }),
      clear: () => void reply.clearCookie(name, options),
    };
  };
  const session = cookie('session');
  const leave = () => {
    session.clear();
    // What the browser kept of this person goes too: caches and storage, not the theme and how they signed in.
    void reply.header('clear-site-data', '"cache", "storage"');
  };
  return {
    session: { ...session, clear: leave },
    challenge: cookie('challenge'),
    device: cookie('device'),
    oauth: cookie('oauth'),
    method: cookie('method'),
  };
}
export type Cookies = ReturnType<typeof cookiesOf>;

/**
 * What a sign-in gives the browser: a session and what remembers the browser, or a challenge that proves the first step
 * only; and which way it was, said with the first step.
 */
export function giveCookies(
  cookies: Cookies,
  result: { token: string; device: string } | { challenge: string },
  method?: SignInMethod,
) {
  if ('challenge' in result) cookies.challenge.set(result.challenge);
  else {
    cookies.session.set(result.token);
    cookies.device.set(result.device);
    cookies.challenge.clear();
  }
  if (method) cookies.method.set(method);
}
