import { expect, test } from 'vitest';
import { renameReserved } from '#server/organizations/jobs.ts';
import { founder } from '#server/testing/people.ts';
import { getRow, updateRows } from '#server/testing/rows.ts';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp();

/** An organization from before a release that reserved its URL name. */
async function called(urlName: string) {
  const boss = await founder(app);
  await updateRows(app, 'organizations', { id: boss.orgId }, { url_name: urlName });
  return boss;
}
const organizationName = async ({ orgId }: { readonly orgId: number }) => {
  return (await getRow(app, 'organizations', ['url_name'], { id: orgId })).url_name;
};

test('an organization whose URL name became a page of the portal gets another one, and its Super Admins a mail', async () => {
  const provider = await called('oidc');
  const page = await called('authorize');
  await called('authorize-org');
  const other = await called('authority');
  await renameReserved(app.deps);
  expect(await Promise.all([provider, page, other].map(organizationName))).toEqual([
    'oidc-org',
    'authorize-org-2',
    'authority',
  ]);
  const told = async () => (await app.mails()).filter(({ subject }) => subject.startsWith('New address of'));
  const mails = await told();
  expect(mails.map(({ to }) => to.address).toSorted()).toEqual([page.email, provider.email].toSorted());
  expect(mails.map(({ text }) => text).join()).toContain(`${app.url}/oidc-org/organization`);
  await renameReserved(app.deps);
  expect(await told()).toHaveLength(2);
});
