import '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The session cookie of one request and answer. */
export type SessionCookie = {
  readonly token: string | undefined;
  set(token: string): void;
  clear(): void;
};

declare module 'fastify' {
  interface FastifyInstance {
    cookieRules: CookieRules;
  }
}
/** How cookies are named and guarded: the __Host- prefix where the portal is served over https. */
export type CookieRules = { readonly secure: boolean; readonly maxAgeSeconds: number };

const nameFor = ({ secure }: CookieRules) => (secure ? '__Host-portico' : 'portico');

/** Reads the request's session cookie and writes the answer's; HttpOnly, SameSite=Lax, Path=/, no Domain (wire.md). */
export function sessionCookie(request: FastifyRequest, reply: FastifyReply): SessionCookie {
  const rules = request.server.cookieRules;
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: rules.secure } as const;
  return {
    token: request.cookies[nameFor(rules)],
    set: (token) => void reply.setCookie(nameFor(rules), token, { ...options, maxAge: rules.maxAgeSeconds }),
    clear: () => {
      void reply.clearCookie(nameFor(rules), options);
      // What the browser kept of this person goes too: caches and storage, not the theme cookie.
      void reply.header('clear-site-data', '"cache", "storage"');
    },
  };
}
