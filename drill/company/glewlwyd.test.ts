import { expect, onTestFinished, test } from 'vitest';
import { attemptsOf, companyWithProgram } from '#server/testing/company-provider.ts';
import { startGlewlwyd } from '#server/testing/glewlwyd.ts';
import type { ProviderBrowser } from '#server/testing/provider-browser.ts';
import { listRows } from '#server/testing/rows.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp(lastingSessions);
const who = async (visitor: Visitor) =>
  responseOf<{ email: string } | null>(await visitor.get('/api/ustat'))?.email;

test('people come in through a provider that nobody here wrote, and leave by its sign-out', async () => {
  const company = await companyWithProgram(app, startGlewlwyd);
  const { key, domain, urlName, program, tryOut, save } = company;
  onTestFinished(() => program.close());
  const through = (browser: ProviderBrowser) => (authorize: URL) => {
    // Its sign-in page adds this when the person goes on.
    authorize.searchParams.set('g_continue', '');
    return browser.follow(authorize);
  };
  const visit = (visitor: Visitor, browser: ProviderBrowser) => company.visit(visitor, through(browser));
  await tryOut(through(await program.person('tester', `tester@${domain}`)));
  await company.switchOn();
  const ann = await program.person('ann', `Ann@${domain}`);
  const visitor = app.visitor();
  expect(await visit(visitor, ann)).toBe(`/${urlName}`);
  expect(await who(visitor)).toBe(`ann@${domain}`);

  const guest = await program.person('guest', 'guest@elsewhere.example');
  expect(await visit(app.visitor(), guest)).toBe(403);
  responseOf(await save({ secret: 'a secret of another client' }));
  expect(await visit(app.visitor(), ann)).toBe(403);
  const attempts = await attemptsOf(company);
  expect(attempts.map(({ outcome }) => outcome)).toEqual([
    'wrongSecret',
    'otherDomain',
    'signedIn',
    'tested',
  ]);

  const [entry] = await listRows(app, 'company_entries', ['sid'], {
    connection_id: key.connection_id,
  });
  await ann.request('DELETE', `/api/oidc/session/${entry?.sid}/`);
  await expect.poll(() => who(visitor)).toBeUndefined();
});
