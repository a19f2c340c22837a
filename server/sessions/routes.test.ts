import { expect, onTestFinished, test } from 'vitest';
import { DAY_MS, HOUR_MS, SECOND_MS } from '#server/clock.ts';
import { confirmed } from '#server/testing/people.ts';
import { getRow } from '#server/testing/rows.ts';
import { startApp } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp();

const lastSeen = async (userId: number) => {
  const row = await getRow(app, 'sessions', ['last_seen_at'], { user_id: userId });
  return row.last_seen_at;
};

test('the beacon is 204 without a body for any content and counts as activity (D7)', async () => {
  const { visitor, id } = await confirmed(app);
  for (const raw of ['', 'x', '{"a":1}', 'x'.repeat(1000)]) {
    app.clock.forward(61 * SECOND_MS);
    const response = await visitor.request('POST', '/api/activesession', {
      raw,
      headers: { 'content-type': 'text/plain' },
    });
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(await lastSeen(id)).toEqual(app.clock.now());
  }
  expect((await visitor.post('/api/activesession', { user_id: 1 })).status).toBe(204);
});

test('the beacon is refused without a session and from another site (D7)', async () => {
  const { visitor } = await confirmed(app);
  expect((await app.visitor().post('/api/activesession', '')).code).toBe('not_signed_in');
  const foreign = await visitor.send('POST', '/api/activesession', {
    raw: '',
    headers: { 'sec-fetch-site': 'cross-site' },
  });
  expect(foreign.code).toBe('cross_site_request');
});

test('activity is written at most once a minute', async () => {
  const { visitor, id } = await confirmed(app);
  const before = await lastSeen(id);
  app.clock.forward(59 * SECOND_MS);
  await visitor.post('/api/activesession', '');
  expect(await lastSeen(id)).toEqual(before);
});

test('reads need no writable database', async () => {
  const apart = await startApp();
  onTestFinished(() => apart.close());
  const { visitor } = await confirmed(apart);
  await apart.database.exclusively((script) =>
    script(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'no standby agrees'; end $$;
      create trigger refused before update on sessions for each row execute function refuse();`),
  );
  apart.clock.forward(61 * SECOND_MS);
  for (let round = 0; round < 2; round += 1) expect((await visitor.get('/api/user')).status).toBe(200);
  const warnings = apart.logLines.filter((line) => line.includes('the use of sessions is not noted'));
  expect(warnings).toEqual([expect.stringContaining('no standby agrees')]);
});

test('a session ends 7 days after its last use and 30 days after it began, beacons or not (D7)', async () => {
  const idle = await confirmed(app);
  app.clock.forward(7 * DAY_MS - SECOND_MS);
  expect((await idle.visitor.get('/api/user')).status).toBe(200);
  app.clock.forward(7 * DAY_MS);
  expect((await idle.visitor.get('/api/user')).code).toBe('not_signed_in');

  const busy = await confirmed(app);
  for (let day = 0; day < 29; day += 1) {
    app.clock.forward(DAY_MS);
    expect((await busy.visitor.post('/api/activesession', '')).status).toBe(204);
  }
  app.clock.forward(DAY_MS - HOUR_MS);
  expect((await busy.visitor.get('/api/user')).status).toBe(200);
  app.clock.forward(HOUR_MS);
  expect((await busy.visitor.get('/api/user')).code).toBe('not_signed_in');
});
