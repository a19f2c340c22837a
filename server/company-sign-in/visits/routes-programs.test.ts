import { expect, onTestFinished, test } from 'vitest';
import { registerApplication } from '#server/testing/applications.ts';
import { startBetterAuth } from '#server/testing/better-auth.ts';
import { attemptsOf, companyWithProgram } from '#server/testing/company-provider.ts';
import { confirmed } from '#server/testing/people.ts';
import { lastingSessions, startApp } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp(lastingSessions);

test('another Portico is a provider: a test, a colleague, and the names and address that it knows', async () => {
  const other = await startApp();
  onTestFinished(() => other.close());
  other.clock.forward(Date.now() - other.clock.now().getTime());
  const company = await companyWithProgram(app, async (redirectUrl) => ({
    issuer: other.url,
    ...(await registerApplication(other, { redirect_urls: [redirectUrl] })),
  }));
  const { domain, urlName, tryOut, visit } = company;
  const ann = await confirmed(other, `ann@${domain}`);
  const through = async ({ pathname, search }: URL) => {
    const { headers } = await ann.visitor.request('GET', pathname + search);
    return new URL(headers.get('location') ?? '', other.url);
  };
  await tryOut(through);
  await company.switchOn();
  const visitor = app.visitor();
  expect(await visit(visitor, through)).toBe(`/${urlName}`);
  const me = responseOf<{ email: string; full_name: string }>(await visitor.get('/api/ustat'));
  const there = responseOf<{ full_name: string }>(await ann.visitor.get('/api/ustat'));
  expect(me).toMatchObject({ email: ann.email, full_name: there.full_name });
  const outcomes = (await attemptsOf(company)).map(({ outcome }) => outcome);
  expect(outcomes).toEqual(['signedIn', 'tested']);
});

test('Better Auth is a provider by its defaults: test, colleague, refusal, second visit and sign-out', async () => {
  const company = await companyWithProgram(app, startBetterAuth);
  onTestFinished(() => company.program.close());
  const { domain, urlName, program, tryOut, visit } = company;
  const tester = await program.person('Tess Hall', `tess@${domain}`);
  await program.verify(`tess@${domain}`);
  await tryOut(async (authorize) => program.decide(tester, await tester.follow(authorize), true));
  await company.switchOn();

  const email = `ann@${domain}`;
  const ann = await program.person('Ann Lee', email);
  const visitor = app.visitor();
  const decide = (accept: boolean) => async (authorize: URL) =>
    program.decide(ann, await ann.follow(authorize), accept);
  expect(await visit(visitor, decide(false))).toBe(403);
  // It calls each new address unverified.
  expect(await visit(visitor, decide(true))).toBe(403);
  await program.verify(email);
  const signIn = (from: Visitor) => visit(from, (authorize) => ann.follow(authorize));
  expect(await signIn(visitor)).toBe(`/${urlName}`);
  const me = responseOf<object>(await visitor.get('/api/ustat'));
  expect(me).toMatchObject({ email, full_name: 'Ann Lee' });

  responseOf(await visitor.delete('/api/logout', {}));
  expect(await signIn(visitor)).toBe(`/${urlName}`);

  const elsewhere = app.visitor();
  await signIn(elsewhere);
  responseOf(await visitor.delete('/api/logout', {}));
  const { link } = responseOf<{ link: { url: string } }>(await visitor.get('/api/company/signout'));
  const { pathname } = await ann.follow(new URL(link.url));
  expect((await visitor.request('GET', pathname)).headers.get('location')).toBe('/login');
  await expect.poll(async () => responseOf(await elsewhere.get('/api/ustat'))).toBe(null);
  const outcomes = (await attemptsOf(company)).map(({ outcome }) => outcome);
  expect(outcomes).toEqual(['signedIn', 'signedIn', 'signedIn', 'unverified', 'notLetIn', 'tested']);
});
