import '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ASKED_LANGUAGE_COOKIE, LANGUAGE_COOKIE, chooseLanguage } from '#contract/languages.ts';
import type { Config } from '#server/config.ts';
import { inChosenLanguage, inLanguage } from '#server/language.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The languages that the portal speaks now, the default first. */
    languages: readonly string[];
  }
}

/** Answers each request in its language. After the body, whose context differs. */
export function speakLanguages(app: FastifyInstance, { languages }: Pick<Config, 'languages'>) {
  app.decorate('languages', languages);
  app.addHook('preHandler', (request, _reply, done) => {
    const language = languageOf(request);
    const isChosen = request.cookies[LANGUAGE_COOKIE] === language + BY_HAND;
    return isChosen ? inChosenLanguage(language, done) : inLanguage(language, done);
  });
}

const YEAR_SECONDS = 365 * 86_400;
/** Behind the cookie's language. */
const BY_HAND = '*';

/** The language in which a request is answered: that of a cookie, else that of `?language=`, else the browser's. */
export function languageOf({ cookies, query, headers, server }: FastifyRequest): string {
  // A refusal may come before the cookies are read.
  const known = (cookies as typeof cookies | null) ?? {};
  return chooseLanguage(
    {
      asked: known[ASKED_LANGUAGE_COOKIE],
      cookie: known[LANGUAGE_COOKIE]?.replace(BY_HAND, ''),
      query: (query as Readonly<Record<string, unknown>> | undefined)?.['language'],
      acceptLanguage: headers['accept-language'],
    },
    server.languages,
  );
}

/** Keeps a language in the browser. It is no secret, and signing out leaves it. */
export function keepLanguage(reply: FastifyReply, language: string, isChosen = false) {
  const where = { path: '/', sameSite: 'lax', secure: reply.server.cookieRules.secure } as const;
  if (ASKED_LANGUAGE_COOKIE in reply.request.cookies) void reply.clearCookie(ASKED_LANGUAGE_COOKIE, where);
  void reply.setCookie(LANGUAGE_COOKIE, language + (isChosen ? BY_HAND : ''), {
    ...where,
    maxAge: YEAR_SECONDS,
  });
}
