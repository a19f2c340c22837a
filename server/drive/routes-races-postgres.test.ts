import { beforeAll, expect, test } from 'vitest';
import { company, type Company, type Worker } from '#server/testing/company.ts';
import { iconPath, iconRows, setIcon, skipDrawing, storedFiles, uploaded } from '#server/testing/icons.ts';
import { brokenInvariants } from '#server/testing/invariants.ts';
import { browserAt, raceTimeout, roundsOr } from '#server/testing/races.ts';
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
    admins.map(async (admin) => [admin, await uploaded(app, admin, orgId)] as const),
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

test.each([
  [2, roundsOr(50)],
  [20, roundsOr(5)],
])('%d icons set at once leave one shown, %d rounds', raceTimeout(240_000), async (many, rounds) => {
  const org = await company(app);
  const admins = await Promise.all(Array.from({ length: many }, () => org.join('superAdmin')));
  for (let round = 0; round < rounds; round += 1) expect(await race(org, admins)).toEqual([]);
  expect(await brokenInvariants(app)).toEqual([]);
  for (const file of storedFiles(app)) await app.deps.storage.delete(file);
});
