import { afterAll, beforeAll, expect, test } from 'vitest';
import { iconPath, iconRows, nameIcon, skipDrawing, storedFiles, uploaded } from '#server/testing/icons.ts';
import { confirmed } from '#server/testing/people.ts';
import { organizationOf, staff } from '#server/testing/staff.ts';
import { startApp, type TestApp } from '#server/testing/start-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

// Races, 200 rounds each; PostgreSQL only, since one connection has none.

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ RATE_LIMIT_FACTOR: '1000' });
  skipDrawing(app);
});
afterAll(() => app.close());

test('of icons uploaded and named at once for one place exactly one is shown, and the files of others go', async () => {
  const maya = await confirmed(app);
  const { orgId } = await organizationOf(maya);
  const admin = await staff(app, orgId, 'Admin');
  for (let round = 0; round < 200; round += 1) {
    const [one, other] = await Promise.all([uploaded(app, maya, orgId), uploaded(app, admin, orgId)]);
    const answers = await Promise.all([nameIcon(maya, orgId, one), nameIcon(admin, orgId, other)]);
    answers.forEach(responseOf);
    const rows = await iconRows(app, orgId);
    expect(rows).toHaveLength(1);
    const setting = responseOf(await maya.visitor.get(`/api/orgsetting?org_id=${orgId}`));
    expect(setting).toMatchObject({ app_dark_icon: iconPath(orgId, rows[0]?.file_id ?? '') });
  }
  await app.mails();
  const [row] = await iconRows(app, orgId);
  expect(storedFiles(app)).toEqual([row?.file_id]);
});
