import { afterAll, beforeAll, expect, test } from 'vitest';
import { grow, type Grown, hotCalls } from '#server/testing/grown.ts';
import { genericPlanOf, planOf } from '#server/testing/plans.ts';
import { queriesOf } from '#server/testing/queries.ts';
import { startApp, type TestApp } from '#server/testing/start-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

// Every statement of every hot call finds its rows by index, whatever it asks for, and looks at little more than it shows.

const LOOKED_AT_MOST = 1500;

let app: TestApp;
let grown: Grown;
beforeAll(async () => {
  app = await startApp();
  grown = await grow(app, { people: 20_000, members: 10_000, rows: 40_000 });
}, 120_000);
afterAll(() => app.close());

const names = Object.keys(hotCalls({ orgId: 0, roleId: 0 }));
test.for(names)('%s', async (name) => {
  const call = hotCalls(grown)[name];
  const queries = await queriesOf(async () => responseOf(await grown.visitor.get(call?.path ?? '')));
  expect(queries.length).toBeGreaterThan(0);
  for (const query of queries) {
    const [plan, generic] = [await planOf(app.deps.sql, query), await genericPlanOf(app.deps.sql, query)];
    const told = { text: query.text, walked: plan.walked, walkedForAnyValues: generic.walked };
    expect(told).toEqual({ text: query.text, walked: [], walkedForAnyValues: [] });
    expect(plan.rows).toBeLessThan(LOOKED_AT_MOST);
  }
});
