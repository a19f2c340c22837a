import { type RawBuilder, sql } from 'kysely';
import { STRONG_STEPS } from '#contract/second-step-rule.ts';
import type { ProvenStep } from '#server/db/factor-tables.ts';

/** The second step of a row of `sessions`. Processes before 0029 note only that a code was given. */
export const provenStep = sql<ProvenStep | null>`
  coalesce(sessions.second_step, case when 'otp' = any(sessions.methods) then 'mail' end)`;

/** Whether a row of `sessions` may enter a row of `organizations` now. The same as `meetsRule`. */
export const isRuleMet = (now: unknown): RawBuilder<boolean> => sql<boolean>`
  (organizations.second_step_from is null or organizations.second_step_from > ${now}
    or (${provenStep} is not null
      and (organizations.second_step_rule = 'any' or ${provenStep} in (${sql.join(STRONG_STEPS.map((step) => sql.lit(step)))}))))`;
