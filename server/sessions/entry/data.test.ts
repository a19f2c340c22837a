import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type ProvenStep, SECOND_STEP_RULES } from '#contract/organizations/second-step-rule.ts';
import { isRuleMet } from '#server/sessions/entry/data.ts';
import { meetsRule } from '#server/sessions/entry/rules.ts';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp();
const steps: (ProvenStep | null)[] = [null, 'mail', 'provider', 'recovery', 'app', 'passkey'];

test('the database and the gate decide alike whether a session meets a rule', async () => {
  const now = new Date('2027-03-01T10:00:00Z');
  const starts = [null, now, new Date(now.getTime() - 1), new Date(now.getTime() + 1)];
  const cases = SECOND_STEP_RULES.flatMap((rule) =>
    starts
      .filter((from) => (from === null) === (rule === 'none'))
      .flatMap((from) => steps.map((step) => ({ rule, from, step }))),
  );
  for (const { rule, from, step } of cases) {
    const { rows } = await sql<{ isMet: boolean }>`
      select ${isRuleMet(now)} as "isMet"
      from (select ${rule}::text as second_step_rule, ${from}::timestamptz as second_step_from) as organizations,
        (select ${step}::text as second_step) as sessions`.execute(app.deps.sql);
    expect({ rule, from, step, ...rows[0] }).toEqual({
      rule,
      from,
      step,
      isMet: meetsRule({ rule, from }, step, now),
    });
  }
});
