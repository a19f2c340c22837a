import { expect, test } from 'vitest';
import { refusalText } from '#contract/text/refusals.ts';
import { colleague, founder } from '#server/testing/people.ts';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp();

test('an Admin learns what only Super Admins may do', async () => {
  const boss = await founder(app);
  const { visitor } = await colleague(app, boss);
  const detailsOf = async (path: string) => {
    const { code, body } = await visitor.get(`${path}?org_id=${boss.orgId}`);
    return [code, body.error?.details];
  };
  for (const [path, details] of [
    ['/api/dataexport', refusalText.superAdminOfData],
    ['/api/orgs/secondstep', refusalText.superAdminOfSecondSteps],
    ['/api/webhooks', refusalText.superAdminOfWebhooks],
    ['/api/applications', refusalText.superAdminOfApplications],
  ] as const)
    expect([path, ...(await detailsOf(path))]).toEqual([path, 'super_admin_only', details]);
});
