import '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { keepLanguage } from './language.ts';
import { WIRE_NAME } from '#contract/limits.ts';
import type { SecondStep } from '#contract/sign-in/calls.ts';
import type { SignInMethod } from '#contract/social/calls.ts';

type Cookie = { readonly value: string | undefined; set(value: string): void; clear(): void };

declare module 'fastify' {
  interface FastifyInstance {
    cookieRules: CookieRules;
  }
}
/** `secure` means https, which the __Host- prefix needs. */
type CookieRules = { readonly secure: boolean; readonly maxAgeSeconds: Record<CookieName, number> };
type CookieName = 'session' | 'challenge' | 'device' | 'oauth' | 'company' | 'left' | 'method' | 'passkey';

export const cookieName = (purpose: CookieName, secure: boolean) =>
  `${secure ? '__Host-' : ''}${WIRE_NAME}${purpose === 'session' ? '' : `-${purpose}`}`;

/** The request's cookies by purpose: HttpOnly, SameSite=Lax, Path=/, no Domain (docs/security.md D2). */
export function cookiesOf(request: FastifyRequest, reply: FastifyReply) {
  const { secure, maxAgeSeconds } = request.server.cookieRules;
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
  const cookie = (purpose: CookieName): Cookie => {
    const name = cookieName(purpose, secure);
    return {
      value: request.cookies[name],
      set: (value) => void reply.setCookie(name, value, { ...options, maxAge: maxAgeSeconds[purpose] }),
      clear: () => void reply.clearCookie(name, options),
    };
  };
  const session = cookie('session');
  const clearSession = () => {
    session.clear();
    // Also clears this person's caches and storage in the browser, but not the theme and sign-in method.
    void reply.header('clear-site-data', '"cache", "storage"');
  };
  return {
    session: { ...session, clear: clearSession },
    challenge: cookie('challenge'),
    device: cookie('device'),
    oauth: cookie('oauth'),
    company: cookie('company'),
    /** Apart from the one of visits, which may be under way in other tabs. */
    left: cookie('left'),
    method: cookie('method'),
    passkey: cookie('passkey'),
    language: { set: (language: string) => keepLanguage(reply, language) },
  };
}
export type Cookies = ReturnType<typeof cookiesOf>;

/** A session with the language of its account. */
type OpenedSession = { token: string; device: string; language: string };
type SignInResult =
  | (OpenedSession & { next: string | undefined; code: string | undefined })
  | { challenge: string; contact: string | undefined; ways: readonly SecondStep[] };
export function settleSignIn(cookies: Cookies, result: SignInResult, method?: SignInMethod) {
  giveCookies(cookies, result, method);
  if ('challenge' in result) {
    const { contact, ways } = result;
    // The mailed code alone is the specification's second step, which needs no list.
    const others = ways.every((way) => way === 'mail') ? undefined : [...ways];
    return { mfaEnabled: true, ...definedOnly({ contact, ways: others }) };
  }
  return { mfaEnabled: false, ...definedOnly({ next: result.next, code: result.code }) };
}
const definedOnly = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

/** Session, device and language, or a challenge that proves only the first step; that step also sets `method`. */
export function giveCookies(
  cookies: Cookies,
  result: OpenedSession | { challenge: string },
  method?: SignInMethod,
) {
  if ('challenge' in result) cookies.challenge.set(result.challenge);
  else {
    cookies.session.set(result.token);
    cookies.device.set(result.device);
    cookies.language.set(result.language);
    cookies.challenge.clear();
  }
  if (method) cookies.method.set(method);
}
