import { expect, test } from 'vitest';
import { dataExportJobs } from './jobs.ts';
import { startJobs } from '#server/jobs/jobs.ts';
import { type Boss, confirmed, founder } from '#server/testing/people.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp({ REAUTH_WINDOW_MINUTES: '60' });
const ask = async (visitor: Visitor, orgId?: number) =>
  responseOf(await visitor.post('/api/dataexport', orgId === undefined ? {} : { org_id: orgId }));
const isMade = async ({ visitor, orgId }: { visitor: Visitor; orgId?: number }) => {
  const query = orgId === undefined ? '' : `?org_id=${orgId}`;
  const archive = responseOf<{ byte_count: number | null }>(await visitor.get(`/api/dataexport${query}`));
  return archive.byte_count !== null;
};

test('archives of organizations that take long hold up neither people nor, one alone, another organization', async () => {
  const bosses: Boss[] = [];
  for (const name of ['One', 'Two', 'Three']) bosses.push(await founder(app, name));
  const [one, two, three] = bosses as [Boss, Boss, Boss];
  const people = [await confirmed(app), await confirmed(app)];
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let stored = 0;
  const storage = Object.assign(Object.create(app.deps.storage) as typeof app.deps.storage, {
    put: async (...file: Parameters<typeof app.deps.storage.put>) => {
      await gates[stored++]?.promise;
      return app.deps.storage.put(...file);
    },
  });
  const stop = startJobs({ ...app.deps, storage }, dataExportJobs, [], 5);
  for (const boss of [one, two]) {
    await ask(boss.visitor, boss.orgId);
  }
  await expect.poll(() => stored).toBe(2);
  await ask(three.visitor, three.orgId);
  for (const person of people) await ask(person.visitor);
  for (const person of people) await expect.poll(() => isMade(person)).toBe(true);
  expect(await isMade(three)).toBe(false);
  gates[0]?.resolve();
  await expect.poll(() => isMade(three)).toBe(true);
  gates[1]?.resolve();
  await expect.poll(() => isMade(two)).toBe(true);
  await stop();
});
