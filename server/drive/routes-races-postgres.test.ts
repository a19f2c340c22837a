import { beforeAll, describe, expect, test } from 'vitest';
import { type Company, company, type Worker } from '#server/testing/company.ts';
import {
  iconForm,
  iconPath,
  iconRows,
  setIcon,
  skipDrawing,
  storedFiles,
  uploadedIconId,
} from '#server/testing/icons.ts';
import { brokenInvariants } from '#server/testing/invariants.ts';
import { browserAt, CROWDS, RACE_TIMEOUT } from '#server/testing/races.ts';
import { startBeside } from '#server/testing/start-app.ts';
import { useApp, useServer } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp({ LOG_LEVEL: 'warn', RATE_LIMIT_FACTOR: '1000' });
const beside = useServer(() => startBeside(app));
beforeAll(() => skipDrawing(app));

/**
 * Sets all icons at once, every other one at the second process. Expects one shown icon and only its file.
 * Returns the broken invariants.
 */
async function race({ orgId }: Company, admins: readonly Worker[]) {
  const icons = await Promise.all(
    admins.map(async (admin) => [admin, await uploadedIconId(app, admin, orgId)] as const),
  );
  const answers = await Promise.all(
    icons.map(([admin, icon], at) => {
      const visitor = at % 2 === 0 ? admin.visitor : browserAt(beside, admin.visitor);
      return setIcon({ ...admin, visitor }, orgId, icon);
    }),
  );
  for (const answer of answers) responseOf(answer);
  const rows = await iconRows(app, orgId);
  expect(rows).toHaveLength(1);
  const file = rows[0]?.file_id ?? '';
  const setting = await admins[0]?.visitor.get(`/api/orgsetting?org_id=${orgId}`);
  expect(setting && responseOf(setting)).toMatchObject({ app_dark_icon: iconPath(orgId, file) });
  await app.mails();
  expect(storedFiles(app)).toEqual([file]);
  return brokenInvariants(app, orgId);
}

test.for(CROWDS)('$crowd icons set at once leave one shown', RACE_TIMEOUT, async ({ crowd, rounds }) => {
  const org = await company(app);
  const admins = await Promise.all(Array.from({ length: crowd }, () => org.join('superAdmin')));
  for (let round = 0; round < rounds; round += 1) expect(await race(org, admins)).toEqual([]);
  expect(await brokenInvariants(app)).toEqual([]);
  for (const file of storedFiles(app)) await app.deps.storage.delete(file);
});

describe('pictures', () => {
  beforeAll(() => {
    for (const portal of [app, beside]) skipDrawing(portal);
  });

  test.for(CROWDS)(
    '$crowd pictures at once leave one row and one file',
    RACE_TIMEOUT,
    async ({ crowd, rounds }) => {
      const maya = await (await company(app)).join('superAdmin');
      const raw = () => iconForm(0, { fields: { icon_type: undefined, org_id: undefined } });
      for (let round = 0; round < rounds; round += 1) {
        const answers = await Promise.all(
          Array.from({ length: crowd }, (_, at) =>
            (at % 2 === 0 ? maya.visitor : browserAt(beside, maya.visitor)).send('POST', '/drive/profile', {
              raw: raw(),
            }),
          ),
        );
        const uploads = answers.map((answer) => responseOf<{ file_id: string }>(answer).file_id);
        await app.mails();
        const files = storedFiles(app);
        expect(files).toHaveLength(1);
        expect(uploads).toContain(files[0]);
        expect(responseOf(await maya.visitor.get('/api/user'))).toMatchObject({
          profile_picture_url: `/drive/profile?file_id=${files[0]}`,
        });
      }
      responseOf(await maya.visitor.delete('/drive/profile'));
      await app.mails();
    },
  );
});
