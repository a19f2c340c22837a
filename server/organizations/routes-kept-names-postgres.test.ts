import { expect, test } from 'vitest';
import type { OrgId } from '#contract/wire.ts';
import { deleteOrganization } from './data.ts';
import { confirmed } from '#server/testing/people.ts';
import { organizationOf } from '#server/testing/staff.ts';
import { startBeside } from '#server/testing/start-app.ts';
import { browserAt } from '#server/testing/races.ts';
import { useApp, useServer } from '#server/testing/use-app.ts';
import { whileWaiting } from '#server/testing/waiting.ts';

const app = useApp({ LOG_LEVEL: 'warn' });
const beside = useServer(() => startBeside(app));

test('nobody gets a URL name while its organization is being erased', async () => {
  const first = await confirmed(app);
  const { orgId, urlName } = await organizationOf(first, 'Waited Traders');
  const other = await confirmed(app);
  const elsewhere = { ...other, visitor: browserAt(beside, other.visitor) };
  const organization = await whileWaiting(
    app,
    (tx) => deleteOrganization(tx, orgId as OrgId, app.clock.now()),
    () => organizationOf(elsewhere, 'Waited Traders'),
    async () => undefined,
  );
  expect([urlName, organization.urlName]).toEqual(['waited-traders', 'waited-traders-2']);
});
