import { expect, test } from 'vitest';
import { product } from '#contract/product.ts';
import { DAY_MS } from '#server/clock.ts';
import { sweepUrlNames } from './data.ts';
import { renameReserved } from './jobs.ts';
import { confirmed, deactivate, founder, type Person } from '#server/testing/people.ts';
import { getRow, listRows, updateRows } from '#server/testing/rows.ts';
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

/** An organization from before a release that reserved its URL name. */
async function called(urlName: string) {
  const boss = await founder(app);
  await updateRows(app, 'organizations', { id: boss.orgId }, { url_name: urlName });
  return boss;
}
const organizationName = async ({ orgId }: { readonly orgId: number }) => {
  return (await getRow(app, 'organizations', ['url_name'], { id: orgId })).url_name;
};

test('an organization whose URL name became a page or the name of the portal gets another one, and its Super Admins a mail', async () => {
  const provider = await called('oidc');
  const page = await called('authorize');
  await called('authorize-org');
  const other = await called('authority');
  const brand = await called('contoso');
  const { name } = product;
  product.name = 'Contoso';
  await renameReserved(app.deps);
  product.name = name;
  expect(await Promise.all([provider, page, other, brand].map(organizationName))).toEqual([
    'oidc-org',
    'authorize-org-2',
    'authority',
    'contoso-org',
  ]);
  const told = async () => (await app.mails()).filter(({ subject }) => subject.startsWith('New address of'));
  const mails = await told();
  expect(mails.map(({ to }) => to.address).toSorted()).toEqual(
    [brand, page, provider].map(({ email }) => email).toSorted(),
  );
  expect(mails.map(({ text }) => text).join()).toContain(`${app.url}/oidc-org/organization`);
  await renameReserved(app.deps);
  expect(await told()).toHaveLength(3);
});
