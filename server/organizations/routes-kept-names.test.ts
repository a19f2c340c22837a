import { expect, test } from 'vitest';
import { DAY_MS } from '#server/clock.ts';
import { sweepUrlNames } from '#server/organizations/data.ts';
import { confirmed, deactivate, type Person } from '#server/testing/people.ts';
import { listRows } from '#server/testing/rows.ts';
import { organizationOf } from '#server/testing/staff.ts';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp({ MAX_ORGS_PER_USER: '1000' });

/** Erases a person together with the organization in which they were alone. */
async function erase(person: Person) {
  await deactivate(app, person);
  app.clock.forward(60 * DAY_MS);
  await app.mails();
}
const keptNames = () => listRows(app, 'kept_url_names', ['kept_until']);

test('the URL name of an erased organization stays taken for a year (G14)', async () => {
  const first = await confirmed(app);
  const { urlName } = await organizationOf(first, 'Kept Traders');
  expect(urlName).toBe('kept-traders');
  await erase(first);
  const other = await confirmed(app);
  expect((await organizationOf(other, 'Kept Traders')).urlName).toBe('kept-traders-2');
  app.clock.forward(364 * DAY_MS);
  const later = await confirmed(app);
  expect((await organizationOf(later, 'Kept Traders')).urlName).toBe('kept-traders-3');
  app.clock.forward(DAY_MS);
  const last = await confirmed(app);
  expect((await organizationOf(last, 'Kept Traders')).urlName).toBe('kept-traders');
  // A second erasure keeps the name for another year.
  await erase(last);
  const again = await confirmed(app);
  expect((await organizationOf(again, 'Kept Traders')).urlName).toBe('kept-traders-4');
});

test('the row of a kept name is swept once its year is over, not before', async () => {
  const person = await confirmed(app);
  await organizationOf(person, 'Swept Traders');
  await erase(person);
  expect((await keptNames()).length).toBeGreaterThan(0);
  await sweepUrlNames(app.deps);
  expect((await keptNames()).length).toBeGreaterThan(0);
  app.clock.forward(366 * DAY_MS);
  await sweepUrlNames(app.deps);
  expect(await keptNames()).toEqual([]);
});
