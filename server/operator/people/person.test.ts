import { expect, test } from 'vitest';
import { DAY_MS } from '#server/clock.ts';
import { signInOwnWay } from '#server/testing/company-provider.ts';
import { act } from '#server/testing/operator.ts';
import { founder } from '#server/testing/people.ts';
import { insertRow, updateRows } from '#server/testing/rows.ts';
import { staff } from '#server/testing/staff.ts';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp();

test('a member whom a company’s rule refuses is told as the sign-in tells them', async () => {
  const { orgId } = await founder(app);
  const member = await staff(app, orgId, 'Admin');
  const next = async () => {
    const answer = await act(app.deps, 'person', { person: String(member.id) });
    return 'data' in answer && (answer.data as { next: string[] }).next.join(' → ');
  };
  const [now, later] = [app.clock.now(), new Date(app.clock.now().getTime() + DAY_MS)];
  const rule = (from: Date) =>
    updateRows(app, 'organizations', { id: orgId }, { company_rule: 'everybody', company_rule_from: from });
  await rule(later);
  expect(await next()).toMatch(
    /^password → .+ is entered through the company only from .+ on → the organization$/,
  );
  await rule(now);
  expect(await next()).toMatch(/^password → .+ is entered through the company only$/);
  const domain = { domain: member.email.split('@')[1] ?? '', org_id: orgId, token: 't' };
  await insertRow(app, 'company_domains', { ...domain, proven_at: now, created_at: now });
  expect(await next()).toMatch(/^refused: .+ lets its people sign in through the company only$/);
  expect((await signInOwnWay(app.visitor(), member)).code).toBe('company_sign_in_required');
});
