import '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LANGUAGE_COOKIE, chooseLanguage } from '#contract/languages.ts';
import type { Config } from '#server/config.ts';
import { inLanguage } from '#server/language.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The languages that the portal speaks now, the default first. */
    languages: readonly string[];
  }
}

/** Answers each request in its language. After the body, whose context differs. */
export function speakLanguages(app: FastifyInstance, { languages }: Pick<Config, 'languages'>) {
  app.decorate('languages', languages);
  app.addHook('preHandler', (request, _reply, done) => inLanguage(languageOf(request), done));
}

const YEAR_SECONDS = 365 * 86_400;

/** The language in which a request is answered: the cookie's, else that of `?language=`, else the browser's. */
export const languageOf = ({ cookies, query, headers, server }: FastifyRequest): string =>
  chooseLanguage(
    {
      // A refusal may come before the cookies are read.
      cookie: (cookies as typeof cookies | null)?.[LANGUAGE_COOKIE],
      query: (query as Readonly<Record<string, unknown>> | undefined)?.['language'],
      acceptLanguage: headers['accept-language'],
    },
    server.languages,
  );

/** Keeps a language in the browser, for no seconds until it closes. It is no secret, and signing out leaves it. */
export const keepLanguage = (reply: FastifyReply, language: string, forSeconds = YEAR_SECONDS) =>
  void reply.setCookie(LANGUAGE_COOKIE, language, {
    path: '/',
    sameSite: 'lax',
    secure: reply.server.cookieRules.secure,
    ...(forSeconds > 0 && { maxAge: forSeconds }),
  });
