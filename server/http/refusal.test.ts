import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { refuse } from '#contract/errors.ts';
import { answerRefusal, refuseErrors } from '#server/http/refusal.ts';

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
