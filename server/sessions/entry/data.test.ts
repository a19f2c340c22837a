import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  type NoEntry,
  type ProvenStep,
  SECOND_STEP_RULES,
} from '#contract/organizations/second-step-rule.ts';
import type { OrgId } from '#contract/wire.ts';
import { noEntry } from '#server/sessions/entry/data.ts';
import { type Proofs, whyNoEntry } from '#server/sessions/entry/rules.ts';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp();
const steps: (ProvenStep | null)[] = [null, 'mail', 'provider', 'recovery', 'app', 'passkey'];
const orgId = 7 as OrgId;
const now = new Date('2027-03-01T10:00:00Z');
const starts = [null, now, new Date(now.getTime() - 1), new Date(now.getTime() + 1)];

const rules = SECOND_STEP_RULES.flatMap((rule) =>
  starts.filter((from) => (from === null) === (rule === 'none')).map((from) => ({ rule, from })),
);
const entered: Omit<Proofs, 'secondStep'>[] = [
  { proven: 'account', entered: [], enteredWithStep: [] },
  { proven: 'company', entered: [], enteredWithStep: [] },
  { proven: 'company', entered: [orgId], enteredWithStep: [] },
  { proven: 'account', entered: [orgId], enteredWithStep: [orgId] },
];

test('the database and the gate decide alike whether a session may enter an organization', async () => {
  const cases = rules.flatMap((asked) =>
    steps.flatMap((secondStep) =>
      entered.flatMap((proofs) =>
        starts.map((companyFrom) => ({
          asked: { ...asked, orgId, companyFrom },
          proofs: { ...proofs, secondStep },
        })),
      ),
    ),
  );
  for (const { asked, proofs } of cases) {
    const companyRule = asked.companyFrom === null ? 'nobody' : 'everybody';
    const { rows } = await sql<{ reason: NoEntry | null }>`
      select ${noEntry(now)} as reason
      from (select ${orgId}::bigint as id, ${asked.rule}::text as second_step_rule, ${asked.from}::timestamptz as second_step_from,
          ${companyRule}::text as company_rule, ${asked.companyFrom}::timestamptz as company_rule_from) as organizations,
        (select 1::bigint as id, 1::bigint as user_id, ${proofs.secondStep}::text as second_step,
          ${proofs.proven}::text as proven, ${proofs.entered}::bigint[] as entered,
          ${proofs.enteredWithStep}::bigint[] as entered_with_step) as sessions`.execute(app.deps.sql);
    expect({ asked, proofs, ...rows[0] }).toEqual({
      asked,
      proofs,
      reason: whyNoEntry(asked, proofs, now) ?? null,
    });
  }
});
