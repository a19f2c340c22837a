import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ComponentType, type ReactNode, useState } from 'react';
import { COMPANY_RULES, companyRules } from '#contract/company-sign-in/rule.ts';
import { companyVisits } from '#contract/company-sign-in/visits.ts';
import type { Output } from '#contract/endpoint.ts';
import type { Organization } from '#contract/organizations/calls.ts';
import { companyRuleText as text } from '#words/company-rule.ts';
import { call } from '#web/lib/call.ts';
import { pageDrafts } from '#web/lib/page-drafts.ts';
import { leaveFor } from '#web/lib/navigate.ts';
import { forgetUnsaved } from '#web/lib/unsaved.ts';
import { useCall } from '#web/lib/use-call.ts';
import { RuleForm, useRule } from '#web/organizations/rule-form.tsx';
import type { SecondStepWaysProps } from '#web/organizations/second-step-card.tsx';
import { Button } from '#web/ui/button.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { Card, LoadFailed } from '#web/ui/sections.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import styles from './company-sign-in.module.css';
import { Item } from './parts.tsx';
import { connectionsQuery } from './queries.ts';

const DEFAULT_DAYS = 14;

type Props = { organization: Organization; Ways: ComponentType<SecondStepWaysProps> };
type Stored = Output<typeof companyRules.read>;

const ruleQuery = ({ id }: Organization) =>
  queryOptions({
    queryKey: ['company rule', id],
    queryFn: () => call(companyRules.read, { orgId: id }),
    // Members link their accounts meanwhile.
    refetchOnWindowFocus: true,
  });

/** Keeps the choice for the way back, so nobody is asked whether to discard it. */
function setAside() {
  pageDrafts.keep();
  forgetUnsaved();
}

/** The rule that members come through the company's provider. */
export function RuleCard({ organization, Ways }: Props) {
  const { data: connections } = useQuery(connectionsQuery(organization.id));
  const { data: stored, isError, refetch } = useQuery(ruleQuery(organization));
  const isConnected = connections?.some(({ isOn }) => isOn) === true;
  if (stored && connections && (isConnected || stored.rule !== 'nobody'))
    return <CompanyRuleForm organization={organization} Ways={Ways} stored={stored} />;
  return (
    <Card title={text.title} lead={text.lead({ organization: organization.name })}>
      {isError && <LoadFailed onRetry={() => void refetch()} />}
      {stored && connections && <p>{text.connectFirst}</p>}
      {!isError && !(stored && connections) && <Skeleton shape="field" width="full" />}
    </Card>
  );
}

function CompanyRuleForm({ organization, Ways, stored }: Props & { stored: Stored }) {
  const client = useQueryClient();
  const { queryKey } = ruleQuery(organization);
  const refresh = () => void client.invalidateQueries({ queryKey });
  const saving = useCall(companyRules.set, {
    company_sign_in_required: refresh,
    second_step_required: refresh,
  });
  const visit = useCall(companyVisits.start);
  const chosen = useRule(COMPANY_RULES, stored, DEFAULT_DAYS);
  const { rule, isRule, atOnce, isSame } = chosen;
  const isReady = !isRule || (stored.hasEntered && stored.hasStrongStep);
  // The dialogs of the ways outlast the need for them.
  const [needsWays, setNeedsWays] = useState(false);
  if (isRule && !stored.hasStrongStep && !needsWays) setNeedsWays(true);
  const enter = async () => {
    const redirectPath = `/${organization.urlName}/organization/signin`;
    const answer = await visit.run({ company: organization.urlName, redirectPath });
    if (!answer) return;
    setAside();
    await leaveFor(answer.authUrl);
  };
  const unlinked = rule === 'addresses' ? stored.unlinkedOfAddresses : stored.unlinked;
  const count = text.unlinked({ count: unlinked, members: stored.members });
  const page = { to: '/$orgId/organization', params: { orgId: organization.urlName } } as const;
  return (
    <RuleForm
      chosen={chosen}
      name="company"
      text={text}
      lead={text.lead({ organization: organization.name })}
      count={
        unlinked === 0 ? (
          count
        ) : (
          <Link {...page} search={{ lacks: rule }} hash="members" onClick={setAside}>
            {count}
          </Link>
        )
      }
      locksOut={isRule && atOnce && !isSame && unlinked > 0}
      first={
        <>
          {isRule && !(isSame && isReady) && (
            <>
              <p className={styles.note}>{text.checklist}</p>
              <ul className={styles.items}>
                <Hurdle
                  isTaken={stored.hasEntered}
                  name={text.enterFirst}
                  lead={text.enterFirstLead}
                  act={
                    <Button size="small" busy={visit.busy} onClick={() => void enter()}>
                      {text.enter}
                    </Button>
                  }
                />
                <Hurdle isTaken={stored.hasStrongStep} name={text.stepFirst} lead={text.stepFirstLead} />
              </ul>
            </>
          )}
          {needsWays && (
            <Ways
              {...(isRule &&
                !stored.hasStrongStep && {
                  asked: { rule: 'strong', isReady: stored.isStepReady, isShown: false },
                })}
              confirm={text.confirmStep}
              onMet={refresh}
            />
          )}
        </>
      }
      isReady={isReady}
      effect={
        rule === 'nobody' ? (
          <p>{text.liftEffect}</p>
        ) : (
          <>
            <p>{text.effects[rule]({ organization: organization.name })}</p>
            <p>{count}</p>
            <p>{text.breakGlass}</p>
          </>
        )
      }
      busy={saving.busy}
      onSave={async () => {
        const answer = await saving.run({ orgId: organization.id, ...chosen.input });
        if (answer) client.setQueryData(queryKey, answer);
        return answer;
      }}
    />
  );
}

type HurdleProps = { isTaken: boolean; name: string; lead: string; act?: ReactNode };
/** A task of a Super Admin before they can set the rule. */
const Hurdle = ({ isTaken, name, lead, act }: HurdleProps) => (
  <Item
    name={name}
    pills={<Pill tone={isTaken ? 'good' : 'warn'}>{isTaken ? text.done : text.toDo}</Pill>}
    words={!isTaken && <p>{lead}</p>}
    acts={!isTaken && act}
  />
);
