import { expect, onTestFinished, test } from 'vitest';
import { attemptsOf, companyWithProgram } from '#server/testing/company-provider.ts';
import { LEMONLDAP_DOMAIN, startLemonldap } from '#server/testing/lemonldap.ts';
import { updateRows } from '#server/testing/rows.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp(lastingSessions);

test('LemonLDAP::NG, which gives address and name at its userinfo endpoint only, is a provider', async () => {
  const company = await companyWithProgram(app, startLemonldap);
  const { orgId, urlName, program, tryOut, visit } = company;
  onTestFinished(() => program.close());
  await updateRows(app, 'company_domains', { org_id: orgId }, { domain: LEMONLDAP_DOMAIN });
  const signIn =
    (user: string, browser = program.browser()) =>
    (authorize: URL) =>
      program.goOn(browser, authorize, { user, password: user, confirm: 1 });
  await tryOut(signIn('dwho'));
  await company.switchOn();
  const rose = program.browser();
  const visitor = app.visitor();
  expect(await visit(visitor, signIn('rtyler', rose))).toBe(`/${urlName}`);
  const me = responseOf<object>(await visitor.get('/api/ustat'));
  expect(me).toMatchObject({ email: `rtyler@${LEMONLDAP_DOMAIN}`, full_name: 'Rose Tyler' });
  responseOf(await visitor.delete('/api/logout', {}));
  const again = (authorize: URL) => rose.follow(authorize);
  expect(await visit(visitor, again)).toBe(`/${urlName}`);
  const outcomes = (await attemptsOf(company)).map(({ outcome }) => outcome);
  expect(outcomes).toEqual(['signedIn', 'signedIn', 'tested']);
});
