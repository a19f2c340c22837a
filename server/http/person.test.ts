import { beforeAll, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { PERSON_HEADER } from '#contract/sessions/person-header.ts';
import { HOUR_MS } from '#server/clock.ts';
import { personOf } from '#server/keys.ts';
import { colleague, founder } from '#server/testing/people.ts';
import { listRows } from '#server/testing/rows.ts';
import { fingerprint } from '#server/testing/untouched.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp({ RATE_LIMIT_FACTOR: '1000' });
let here: Awaited<ReturnType<typeof founder>>;
let other: Awaited<ReturnType<typeof colleague>>;
beforeAll(async () => {
  here = await founder(app);
  other = await colleague(app, here);
});

const endpoints = Object.values(api).flatMap((feature): Endpoint[] => Object.values(feature));
const personHeader = ({ id }: { id: number }) => personOf(app.deps.keys, id as never);
const send = (visitor: Visitor, endpoint: Endpoint, person: string) =>
  visitor.send(endpoint.method, endpoint.path.replace(/:\w+/, 'x'), {
    headers: { [PERSON_HEADER]: person },
    ...(endpoint.method !== 'GET' && endpoint.body !== 'form' && { body: {} }),
    ...(endpoint.body === 'form' && { raw: new FormData() }),
  });

test('no call does anything for a page that was loaded by another person, or whose person has signed out (D11)', async () => {
  for (const [visitor, code] of [
    [here.visitor, 'signed_in_as_another'],
    [app.visitor(), 'not_signed_in'],
  ] as const) {
    const before = await fingerprint(app.deps.sql);
    for (const endpoint of endpoints) {
      const answer = await send(visitor, endpoint, personHeader(other));
      expect([endpoint.path, answer.status, answer.code]).toEqual([endpoint.path, 401, code]);
      expect(answer.body.response).toBeUndefined();
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    expect(await fingerprint(app.deps.sql)).toEqual(before);
  }
});

test.for(['', '0', '-1', 'x', '1e3', '1, 2'])(
  '%j is not the name of the signed-in person (D11)',
  async (person) => {
    const answer = await here.visitor.get('/api/user', { [PERSON_HEADER]: person });
    expect(answer.code).toBe('signed_in_as_another');
  },
);

test('a page that was loaded signed out is served only while nobody is signed in', async () => {
  const nobody = { [PERSON_HEADER]: '' };
  expect((await app.visitor().get('/api/ustat', nobody)).body.response).toBeNull();
  expect((await here.visitor.get('/api/ustat', nobody)).code).toBe('signed_in_as_another');
});

test("a request with the caller's name is served, and so is one without a name", async () => {
  for (const path of ['/api/init', '/api/ustat']) {
    const { person } = responseOf<{ person: string }>(await here.visitor.get(path));
    expect(person).toBe(personHeader(here));
    expect((await here.visitor.get('/api/user', { [PERSON_HEADER]: person })).status).toBe(200);
  }
  expect((await here.visitor.get('/api/user')).status).toBe(200);
});

test('a page of another person does not keep a session alive (D7)', async () => {
  const lastSeen = () => listRows(app, 'sessions', ['last_seen_at'], { user_id: here.id });
  const before = await lastSeen();
  app.clock.forward(HOUR_MS);
  await here.visitor.send('POST', '/api/activesession', {
    headers: { [PERSON_HEADER]: personHeader(other) },
  });
  expect(await lastSeen()).toEqual(before);
  await here.visitor.send('POST', '/api/activesession', { headers: { [PERSON_HEADER]: personHeader(here) } });
  expect(await lastSeen()).not.toEqual(before);
});
