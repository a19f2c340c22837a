import { expect, test } from 'vitest';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import { DAY_MS, fromNow } from '#server/clock.ts';
import { addPasskey, signInByPasskey } from '#server/testing/authenticator.ts';
import { company } from '#server/testing/company.ts';
import { confirmed, newEmail, signIn } from '#server/testing/people.ts';
import { insertRow, updateRows } from '#server/testing/rows.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp({ ...lastingSessions, RATE_LIMIT_FACTOR: '100' });

const RULES = ['nobody', 'addresses tomorrow', 'addresses', 'everybody'] as const;
const ADDRESSES = ['of the company', 'private', 'private, linked'] as const;
const STANDINGS = ['none', 'member', 'inactive', 'superAdmin'] as const;
type Cell = {
  readonly rule: (typeof RULES)[number];
  readonly address: (typeof ADDRESSES)[number];
  readonly standing: (typeof STANDINGS)[number];
  readonly way: 'password' | 'passkey';
};

/** The answer of the organization, or of the sign-in if that is refused. */
function expected({ rule, address, standing, way }: Cell): string {
  if (standing === 'none' || standing === 'inactive') return 'org_not_found';
  const holds = rule === 'everybody' || (rule === 'addresses' && address !== 'private');
  const breaksGlass = standing === 'superAdmin' && way === 'passkey';
  if (!holds || breaksGlass) return 'reached';
  return address === 'of the company' ? 'sign-in: company_sign_in_required' : 'company_sign_in_required';
}

test.for(RULES)('the own ways of everybody into an organization whose rule is: %s', async (rule) => {
  const org = await company(app);
  await org.join('superAdmin');
  const { domain } = await org.newDomain({ isProven: true });
  const connectionId = await org.newConnection('on');
  const day = fromNow(app.clock, rule === 'addresses tomorrow' ? DAY_MS : 0);
  const found = [];
  for (const address of ADDRESSES)
    for (const standing of STANDINGS) {
      const email = newEmail('ann').replace(
        /@.*$/,
        `@${address === 'of the company' ? domain : 'private.example'}`,
      );
      const person = await confirmed(app, email);
      const passkey = await addPasskey(person.visitor, app.url);
      const mine = { user_id: person.id, created_at: app.clock.now() };
      if (standing !== 'none')
        await insertRow(app, 'memberships', {
          ...mine,
          org_id: org.orgId,
          role_id: standing === 'superAdmin' ? org.roles.superAdmin : org.roles.sales,
          status: standing === 'inactive' ? MEMBER_STATUS.inactive : MEMBER_STATUS.active,
          first_name: 'Ann',
        });
      if (address === 'private, linked')
        await insertRow(app, 'company_identities', {
          ...mine,
          connection_id: connectionId,
          issuer: 'http://localhost:9',
          subject: email,
        });
      found.push({ person, passkey, address, standing });
    }
  const kept = rule === 'nobody' ? 'nobody' : rule === 'everybody' ? 'everybody' : 'addresses';
  await updateRows(
    app,
    'organizations',
    { id: org.orgId },
    { company_rule: kept, company_rule_from: rule === 'nobody' ? null : day },
  );
  const answers = [];
  for (const { person, passkey, address, standing } of found)
    for (const way of ['password', 'passkey'] as const) {
      const visitor = app.visitor();
      const { code } = await (way === 'password'
        ? signIn(visitor, person.email)
        : signInByPasskey(visitor, passkey));
      const reached = code
        ? `sign-in: ${code}`
        : ((await visitor.get(`/api/init?org_id=${org.orgId}`)).code ?? 'reached');
      answers.push({ rule, address, standing, way, reached });
    }
  expect(answers).toEqual(answers.map(({ reached: _, ...cell }) => ({ ...cell, reached: expected(cell) })));
});
