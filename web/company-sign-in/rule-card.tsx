import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ComponentType, type SubmitEvent, useState } from 'react';
import { COMPANY_RULES, type CompanyRule, companyRules } from '#contract/company-sign-in/rule.ts';
import { companyVisits } from '#contract/company-sign-in/visits.ts';
import { dayIn } from '#contract/dates.ts';
import type { Output } from '#contract/endpoint.ts';
import type { Organization } from '#contract/organizations/calls.ts';
import { companyRuleText as text } from '#words/company-rule.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { call } from '#web/lib/call.ts';
import { warnNoChanges } from '#web/lib/edit-form.ts';
import { leaveFor } from '#web/lib/navigate.ts';
import { forgetUnsaved, useUnsaved } from '#web/lib/unsaved.ts';
import { useCall } from '#web/lib/use-call.ts';
import { dayAfter, dayOf, startOf } from '#web/organizations/rule-days.ts';
import type { SecondStepWaysProps } from '#web/organizations/second-step-card.tsx';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { TextField } from '#web/ui/field.tsx';
import { LateConfirm } from '#web/ui/late-confirm.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Card, FieldGrid, FormCard, FullRow, LoadFailed } from '#web/ui/sections.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { connectionsQuery } from './connections.ts';

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

/** The rule that members come through the company's provider. */
export function RuleCard({ organization, Ways }: Props) {
  const { data: connections } = useQuery(connectionsQuery(organization.id));
  const { data: stored, isError, refetch } = useQuery(ruleQuery(organization));
  const isConnected = connections?.some(({ isOn }) => isOn) === true;
  if (stored && connections && (isConnected || stored.rule !== 'nobody'))
    return <RuleForm organization={organization} Ways={Ways} stored={stored} />;
  return (
    <Card title={text.title} lead={text.lead({ organization: organization.name })}>
      {isError && <LoadFailed onRetry={() => void refetch()} />}
      {stored && connections && <p>{text.connectFirst}</p>}
      {!isError && !(stored && connections) && <Skeleton shape="field" width="full" />}
    </Card>
  );
}

function RuleForm({ organization, Ways, stored }: Props & { stored: Stored }) {
  const client = useQueryClient();
  const { queryKey } = ruleQuery(organization);
  const refresh = () => void client.invalidateQueries({ queryKey });
  const before = chosenOf(stored);
  const [chosen, setChosen] = useState(before);
  const [isAsking, setAsking] = useState(false);
  const [hasBadDay, setBadDay] = useState(false);
  const saving = useCall(companyRules.set, {
    company_sign_in_required: refresh,
    second_step_required: refresh,
  });
  const visit = useCall(companyVisits.start);
  const { rule, day, atOnce } = chosen;
  const isSame =
    rule === before.rule &&
    (rule === 'nobody' || (atOnce === before.atOnce && (atOnce || day === before.day)));
  useUnsaved(!isSame);
  const isRule = rule !== 'nobody';
  const missing = !isRule
    ? undefined
    : !stored.hasEntered
      ? 'entry'
      : !stored.hasStrongStep
        ? 'step'
        : undefined;
  const choose = (change: Partial<Chosen>) => {
    setChosen({ ...chosen, ...change });
    setBadDay(false);
  };
  const ask = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isSame) warnNoChanges();
    else if (isRule && !atOnce && !(day >= dayAfter(1))) setBadDay(true);
    else if (!missing) setAsking(true);
  };
  const save = async () => {
    const from = isRule && !atOnce ? { from: startOf(day) } : {};
    const answer = await saving.run({ orgId: organization.id, rule, ...from });
    if (!answer) return;
    client.setQueryData(queryKey, answer);
    setChosen(chosenOf(answer));
    showAlert({ kind: 'success', text: text.saved });
  };
  const enter = async () => {
    const redirectPath = `/${organization.urlName}/organization/signin`;
    const answer = await visit.run({ company: organization.urlName, redirectPath });
    if (!answer) return;
    forgetUnsaved();
    await leaveFor(answer.authUrl);
  };
  const unlinked = rule === 'addresses' ? stored.unlinkedOfAddresses : stored.unlinked;
  const count = text.unlinked({ count: unlinked, members: stored.members });
  return (
    <>
      <FormCard
        form={{ props: { noValidate: true, onSubmit: ask }, busy: saving.busy }}
        act={text.save}
        title={text.title}
        lead={text.lead({ organization: organization.name })}
        note={
          isRule && (
            <output>
              {stored.from && rule === stored.rule && (
                <span>{`${(stored.holds ? text.holds : text.willHold)({ day: dayIn(null)(stored.from) })} `}</span>
              )}
              <span>{count}</span>
            </output>
          )
        }
      >
        <FieldGrid>
          <SelectField
            label={text.rule}
            hint={text.hints[rule]}
            name="company-rule"
            value={rule}
            options={COMPANY_RULES.map((value) => ({ value, label: text.rules[value] }))}
            onChange={({ target }) =>
              choose({ rule: COMPANY_RULES.find((one) => one === target.value) ?? 'nobody' })
            }
          />
          {isRule && !atOnce && (
            <TextField
              label={text.from}
              error={hasBadDay ? text.badDay : undefined}
              name="company-rule-from"
              type="date"
              min={dayAfter(1)}
              max="9999-12-31"
              required
              value={day}
              onChange={({ target }) => choose({ day: target.value })}
            />
          )}
          {isRule && (
            <FullRow>
              <Checkbox
                label={text.atOnce}
                checked={atOnce}
                onChange={({ target }) => choose({ atOnce: target.checked })}
              />
            </FullRow>
          )}
        </FieldGrid>
        {missing === 'entry' && (
          <Notice
            kind="warning"
            title={text.enterFirst}
            action={
              <Button size="small" busy={visit.busy} onClick={() => void enter()}>
                {text.enter}
              </Button>
            }
          >
            {text.enterFirstLead}
          </Notice>
        )}
        {missing === 'step' && (
          <Notice kind="warning" title={text.stepFirst}>
            {text.stepFirstLead}
          </Notice>
        )}
        {missing === 'step' && (
          <Ways
            asked={{ rule: 'strong', isReady: false, isShown: false }}
            confirm={text.confirmStep}
            onMet={refresh}
          />
        )}
      </FormCard>
      {isAsking && (
        <LateConfirm
          onClose={() => setAsking(false)}
          title={isRule ? text.askTitle : text.liftTitle}
          act={isRule ? text.askAct : text.liftAct}
          destructive={isRule && atOnce && unlinked > 0}
          onConfirm={save}
        >
          <p>{isRule ? text.effects[rule]({ organization: organization.name }) : text.liftEffect}</p>
          {isRule && <p>{count}</p>}
          {isRule && <p>{text.breakGlass}</p>}
        </LateConfirm>
      )}
    </>
  );
}

type Chosen = { rule: CompanyRule; day: string; atOnce: boolean };
const chosenOf = ({ rule, from, holds }: Stored): Chosen => ({
  rule,
  day: from && !holds ? dayOf(from) : dayAfter(DEFAULT_DAYS),
  atOnce: holds,
});
