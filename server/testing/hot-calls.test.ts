import { afterAll, beforeAll, expect, test } from 'vitest';
import { grow, type Grown, hotCalls } from '#server/testing/grown.ts';
import { queriesOf } from '#server/testing/queries.ts';
import { startApp, type TestApp } from '#server/testing/start-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

// What is asked of the database for a call is a fixed number of statements: none more for each member, device or row.

let app: TestApp;
let grown: Grown;
beforeAll(async () => {
  app = await startApp();
  grown = await grow(app, { people: 300, members: 150, rows: 300 });
});
afterAll(() => app.close());

const names = Object.keys(hotCalls({ orgId: 0, roleId: 0 }));
test.for(names)('%s', async (name) => {
  const call = hotCalls(grown)[name];
  const queries = await queriesOf(async () => responseOf(await grown.visitor.get(call?.path ?? '')));
  expect(queries.length).toBeGreaterThan(0);
  expect(queries.map(({ text }) => text).slice(call?.queries)).toEqual([]);
});
