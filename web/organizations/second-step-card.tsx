import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ComponentType, useState } from 'react';
import { dayIn } from '#contract/dates.ts';
import type { Output } from '#contract/endpoint.ts';
import type { Organization } from '#contract/organizations/calls.ts';
import { secondStepRules } from '#contract/organizations/second-step.ts';
import { isWithin, SECOND_STEP_RULES } from '#contract/organizations/second-step-rule.ts';
import { secondStepRuleText as text } from '#words/second-step-rule.ts';
import { call } from '#web/lib/call.ts';
import { useCall } from '#web/lib/use-call.ts';
import { Notice } from '#web/ui/notice.tsx';
import { Card, FieldGrid, LoadFailed } from '#web/ui/sections.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { startOf } from './rule-days.ts';
import { RuleForm, useRule } from './rule-form.tsx';

const DEFAULT_DAYS = 7;

const ruleQuery = ({ id }: Organization) =>
  queryOptions({
    queryKey: ['second step rule', id],
    queryFn: () => call(secondStepRules.rule, { orgId: id }),
    // Members set up second steps meanwhile.
    refetchOnWindowFocus: true,
  });

type Stored = Output<typeof secondStepRules.rule>;
export type SecondStepWaysProps = {
  /** Without it there are no buttons. */
  asked?: {
    rule: 'any' | 'strong';
    /** The person has a step, and only has to show it. */
    isReady: boolean;
    /** The session has shown one, or need not. */
    isShown: boolean;
  };
  /** The person must be able to lose one second step first. */
  needsSpare?: boolean;
  /** The name of the button that asks for the step. */
  confirm: string;
  onMet: () => void;
};
type Props = { organization: Organization; Ways: ComponentType<SecondStepWaysProps> };

export function SecondStepCard({ organization, Ways }: Props) {
  const { data, isError, refetch } = useQuery(ruleQuery(organization));
  if (data) return <SecondStepForm organization={organization} Ways={Ways} stored={data} />;
  return (
    <Card title={text.title} lead={text.lead}>
      {isError ? (
        <LoadFailed onRetry={() => void refetch()} />
      ) : (
        <FieldGrid>
          <Skeleton shape="field" width="full" />
          <Skeleton shape="field" width="full" />
        </FieldGrid>
      )}
    </Card>
  );
}

function SecondStepForm({ organization, Ways, stored }: Props & { stored: Stored }) {
  const queryClient = useQueryClient();
  const { queryKey } = ruleQuery(organization);
  const refresh = () => void queryClient.invalidateQueries({ queryKey });
  const { run, busy } = useCall(secondStepRules.setRule, { second_step_required: refresh });
  const chosen = useRule(SECOND_STEP_RULES, stored, DEFAULT_DAYS);
  const { rule, day, atOnce, isRule, isSame } = chosen;
  const asked =
    rule === 'none' || isWithin(rule, stored.proven)
      ? undefined
      : { rule, isReady: isWithin(rule, stored.ready), isShown: false };
  const needsSpare = !asked && !chosen.isSame && !isWithin(rule, stored.spare);
  // The dialogs of the ways outlast the need for them.
  const [needsWays, setNeedsWays] = useState(false);
  if ((asked || needsSpare) && !needsWays) setNeedsWays(true);
  const unready = rule === 'strong' ? stored.withoutStrong : stored.withoutAny;
  const members = { count: unready, members: stored.members };
  const count = unready === 0 ? text.allReady : text.unready(members);
  const effect = !isRule ? text.liftEffect : atOnce ? text.effectNow : text.effectLater;
  // Typed loosely, because each page has its own query.
  const [here, filter]: [string, object] = ['.', { lacks: rule }];
  return (
    <RuleForm
      chosen={chosen}
      name="second-step"
      text={text}
      lead={text.lead}
      count={
        unready === 0 ? (
          count
        ) : (
          <Link to={here} search={filter} hash="members">
            {count}
          </Link>
        )
      }
      locksOut={isRule && atOnce && !isSame && unready > 0}
      lockOut={text.lockOut(members)}
      first={
        <>
          {asked && (
            <Notice kind="warning" announce title={text.ownFirst}>
              {text.ownFirstLead}
            </Notice>
          )}
          {needsSpare && (
            <Notice kind="warning" announce title={text.spareFirst}>
              {text.spareFirstLead}
            </Notice>
          )}
          {needsWays && (
            <Ways
              {...(asked && { asked })}
              needsSpare={needsSpare}
              confirm={text.confirmOwn}
              onMet={refresh}
            />
          )}
        </>
      }
      isReady={!asked && !needsSpare}
      effect={
        <>
          <p>
            {effect({
              organization: organization.name,
              day: isRule && !atOnce ? dayIn(null)(startOf(day)) : '',
            })}
          </p>
          {isRule && <p>{count}</p>}
        </>
      }
      busy={busy}
      onSave={async () => {
        const answer = await run({ orgId: organization.id, ...chosen.input });
        if (answer) queryClient.setQueryData(queryKey, answer);
        return answer;
      }}
    />
  );
}
