import Fastify from 'fastify';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { api } from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { codeOf, errors, Refusal, type RefusalName, refuse } from '#contract/errors.ts';
import { answerRefusal, refuseErrors } from './refusal.ts';
import { inLanguage } from '#server/language.ts';
import { foreignWords, pseudoLanguages } from '#server/testing/foreign.ts';

const secret = 'select * from sessions where token = $1';
const failing = (fields: object) => Object.assign(new Error(`${secret} failed`), fields);

async function answerTo(thrown: unknown) {
  const lines: { level: number; msg: string }[] = [];
  const stream = { write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[0]) };
  const app = Fastify({ logger: { level: 'warn', stream } });
  app.decorate('languages', ['en']);
  refuseErrors(app);
  app.get('/', () => Promise.reject(thrown as Error));
  const { statusCode, headers, body } = await app.inject('/');
  return {
    statusCode,
    headers,
    body,
    code: (JSON.parse(body) as { error: { code: string } }).error.code,
    lines,
  };
}

test.for([
  { what: 'a bug', error: new TypeError(secret), code: 'internal_error', level: 50 },
  { what: 'a wrong query', error: failing({ code: '42601' }), code: 'internal_error', level: 50 },
  { what: 'a broken constraint', error: failing({ code: '23505' }), code: 'internal_error', level: 50 },
  { what: 'a claimed 500', error: failing({ statusCode: 500 }), code: 'internal_error', level: 50 },
  { what: 'a refused connection', error: failing({ code: 'ECONNREFUSED' }), code: 'unavailable', level: 40 },
  { what: 'a lost connection', error: failing({ code: 'ECONNRESET' }), code: 'unavailable', level: 40 },
  { what: 'a stopped server', error: failing({ code: '57P01' }), code: 'unavailable', level: 40 },
  { what: 'a query over its time', error: failing({ code: '57014' }), code: 'unavailable', level: 40 },
  {
    what: 'an upload that broke off',
    error: failing({ code: 'ECONNRESET', statusCode: 400 }),
    code: 'malformed_request',
    level: undefined,
  },
])('$what is answered with $code and logged at $level', async ({ error, code, level }) => {
  const answer = await answerTo(error);
  expect(answer.code).toBe(code);
  expect(answer.lines.map((line) => line.level)).toEqual(level === undefined ? [] : [level]);
  expect(answer.headers['retry-after']).toBe(code === 'unavailable' ? '5' : undefined);
  expect(answer.body).not.toMatch(/select|sessions|\.ts|at /);
});

test('a refusal is answered with its text and its details', async () => {
  const app = Fastify();
  app.decorate('languages', ['en']);
  const until = new Date('2026-03-03T09:00:00Z');
  app.get('/busy', (_request, reply) =>
    answerRefusal(reply, refuse('unavailable', { retryAfterSeconds: 2 })),
  );
  app.get('/closed', (_request, reply) =>
    answerRefusal(reply, refuse('account_is_disable', { reason: 'restricted', until })),
  );
  app.get('/wrong', (_request, reply) => answerRefusal(reply, refuse('wrong_password')));
  expect((await app.inject('/busy')).headers['retry-after']).toBe('2');
  expect((await app.inject('/closed')).json()).toEqual({
    success: false,
    error: {
      code: 'account_is_disable',
      details: 'This account is disabled.',
      reason: 'restricted',
      until: '2026-03-03T09:00:00.000Z',
    },
  });
  const wrong = await app.inject('/wrong');
  expect(wrong.statusCode).toBe(403);
  expect(wrong.json()).toMatchObject({
    error: { code: 'invalid_credentials', details: 'Invalid crendentials' },
  });
});

const inEach = ['en', ...pseudoLanguages] as const;
const foreignIn = (language: (typeof inEach)[number], text: string) =>
  language === 'en' ? [] : foreignWords(language, text);

test('each refusal has its status and code in every language, and its words in the caller’s', async () => {
  const app = Fastify();
  app.decorate('languages', [...inEach]);
  app.get('/:name', ({ params }, reply) =>
    answerRefusal(reply, new Refusal((params as { name: RefusalName }).name)),
  );
  for (const name of Object.keys(errors) as RefusalName[])
    for (const language of inEach) {
      const answer = await app.inject({ url: `/${name}`, headers: { 'accept-language': language } });
      const { code, details } = answer.json<{ error: { code: string; details: string } }>().error;
      expect([answer.statusCode, code]).toEqual([errors[name].status, codeOf(name)]);
      expect([name, language, foreignIn(language, details)]).toEqual([name, language, []]);
    }
});

/** Values that break a rule of nearly every field. */
const wrong = [
  null,
  true,
  -1,
  1e21,
  [],
  [7],
  ['x', 'x'],
  {},
  '',
  ' ',
  'x',
  'a@b',
  '\0',
  '\u202E',
  'x:',
  'x'.repeat(5000),
  `${'a'.repeat(300)}@b.example`,
];
const fieldsOf = ({ input }: Endpoint) =>
  Object.keys(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }).properties ?? {});

test('each message about a field is in the caller’s language', () => {
  const messagesIn = (language: string) =>
    inLanguage(language, () =>
      Object.values(api)
        .flatMap((feature): Endpoint[] => Object.values(feature))
        .flatMap((endpoint) =>
          wrong.flatMap((value) => {
            const values = Object.fromEntries(fieldsOf(endpoint).map((name) => [name, value]));
            const { error } = z.safeDecode(endpoint.input, values);
            return (error?.issues ?? []).map(({ code, path, message }) => ({
              rule: [code, ...path],
              message,
            }));
          }),
        ),
    );
  const [english = [], ...others] = inEach.map(messagesIn);
  expect(new Set(english.map(({ message }) => message)).size).toBeGreaterThan(20);
  for (const [at, language] of pseudoLanguages.entries()) {
    const messages = others[at] ?? [];
    expect(messages.map(({ rule }) => rule)).toEqual(english.map(({ rule }) => rule));
    // A rule without a message; the server has words for it.
    const words = messages.filter(({ message }) => message !== 'Invalid input');
    expect(words.flatMap(({ message }) => foreignWords(language, message))).toEqual([]);
  }
});
