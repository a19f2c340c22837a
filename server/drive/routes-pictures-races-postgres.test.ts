import { beforeAll, expect, test } from 'vitest';
import { company } from '#server/testing/company.ts';
import { iconForm, skipDrawing, storedFiles } from '#server/testing/icons.ts';
import { browserAt } from '#server/testing/races.ts';
import { startBeside } from '#server/testing/start-app.ts';
import { useApp, useServer } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp({ LOG_LEVEL: 'warn', RATE_LIMIT_FACTOR: '1000' });
const beside = useServer(() => startBeside(app));
beforeAll(() => {
  for (const portal of [app, beside]) skipDrawing(portal);
});

test.each([
  [2, 100],
  [20, 10],
])(
  '%d pictures at once leave one row and one file, %d rounds',
  { timeout: 120_000 },
  async (many, rounds) => {
    const maya = await (await company(app)).join('superAdmin');
    const raw = () => iconForm(0, { fields: { icon_type: undefined, org_id: undefined } });
    for (let round = 0; round < rounds; round += 1) {
      const answers = await Promise.all(
        Array.from({ length: many }, (_, at) =>
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
