import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { dayIn } from '#contract/dates.ts';
import type { Output } from '#contract/endpoint.ts';
import type { Organization } from '#contract/organizations/calls.ts';
import { secondStepRules } from '#contract/organizations/second-step.ts';
import { SECOND_STEP_RULES, type SecondStepRule } from '#contract/organizations/second-step-rule.ts';
import { secondStepRuleText as text } from '#contract/text/second-step-rule.ts';
import { fill } from '#contract/text.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { call } from '#web/lib/call.ts';
import { warnNoChanges } from '#web/lib/edit-form.ts';
import { useUnsaved } from '#web/lib/unsaved.ts';
import { useCall } from '#web/lib/use-call.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { TextField } from '#web/ui/field.tsx';
import { FormCard } from '#web/ui/form-card.tsx';
import { LateConfirm } from '#web/ui/late-confirm.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Card, FieldGrid, FullRow } from '#web/ui/sections.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { dayAfter, dayOf, startOf } from './rule-days.ts';

const DEFAULT_DAYS = 7;

const ruleQuery = ({ id }: Organization) =>
  queryOptions({
    queryKey: ['second step rule', id],
    queryFn: () => call(secondStepRules.rule, { orgId: id }),
    // Members set up second steps meanwhile.
    refetchOnWindowFocus: true,
  });

type Stored = Output<typeof secondStepRules.rule>;
type Props = { organization: Organization };

export function SecondStepCard({ organization }: Props) {
  const { data, isError, refetch } = useQuery(ruleQuery(organization));
  if (data) return <RuleForm organization={organization} stored={data} />;
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

function RuleForm({ organization, stored }: Props & { stored: Stored }) {
  const queryClient = useQueryClient();
  const before = chosenOf(stored);
  const [chosen, setChosen] = useState(before);
  // A rule set elsewhere replaces what is chosen here.
  const [lastStored, setLastStored] = useState(stored);
  if (lastStored.rule !== stored.rule || lastStored.from?.getTime() !== stored.from?.getTime()) {
    setLastStored(stored);
    setChosen(before);
  }
  const [isAsking, setAsking] = useState(false);
  const [hasBadDay, setBadDay] = useState(false);
  const [ownFirst, setOwnFirst] = useState(false);
  const { run, busy } = useCall(secondStepRules.setRule, {
    second_step_required: () => setOwnFirst(true),
  });
  const { rule, day, atOnce } = chosen;
  const isSame =
    rule === before.rule && (rule === 'none' || (atOnce === before.atOnce && (atOnce || day === before.day)));
  useUnsaved(!isSame);

  const choose = (change: Partial<Chosen>) => {
    setChosen({ ...chosen, ...change });
    setBadDay(false);
    setOwnFirst(false);
  };
  const ask = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isSame) warnNoChanges();
    else if (rule !== 'none' && !atOnce && !(day >= dayAfter(1))) setBadDay(true);
    else setAsking(true);
  };
  const save = async () => {
    // Without a time, the rule applies from the server's current time.
    const from = rule === 'none' || atOnce ? {} : { from: startOf(day) };
    const storedRule = await run({ orgId: organization.id, rule, ...from });
    if (!storedRule) return;
    queryClient.setQueryData(ruleQuery(organization).queryKey, storedRule);
    showAlert({ kind: 'success', text: text.saved });
  };
  const needsDay = rule !== 'none' && !atOnce;
  const effects = { none: text.liftEffect, now: text.effectNow, later: text.effectLater };
  const effect = fill(effects[rule === 'none' ? rule : atOnce ? 'now' : 'later'], {
    organization: organization.name,
    day: needsDay ? dayIn(null)(startOf(day)) : '',
  });
  return (
    <>
      <FormCard
        form={{ props: { noValidate: true, onSubmit: ask }, busy }}
        act={text.save}
        title={text.title}
        lead={text.lead}
        note={noteOf(stored, rule)}
      >
        <FieldGrid>
          <SelectField
            label={text.rule}
            hint={text.hints[rule]}
            name="second-step-rule"
            value={rule}
            options={SECOND_STEP_RULES.map((value) => ({ value, label: text.rules[value] }))}
            onChange={({ target }) =>
              choose({ rule: SECOND_STEP_RULES.find((one) => one === target.value) ?? 'none' })
            }
          />
          {needsDay && (
            <TextField
              label={text.from}
              hint={text.fromHint}
              error={hasBadDay ? text.badDay : undefined}
              name="second-step-from"
              type="date"
              min={dayAfter(1)}
              max="9999-12-31"
              required
              value={day}
              onChange={({ target }) => choose({ day: target.value })}
            />
          )}
          {rule !== 'none' && (
            <FullRow>
              <Checkbox
                label={text.atOnce}
                checked={atOnce}
                onChange={({ target }) => choose({ atOnce: target.checked })}
              />
            </FullRow>
          )}
          {ownFirst && (
            <FullRow>
              <Notice
                kind="warning"
                announce
                title={text.ownFirst}
                action={
                  <Link
                    className={buttonClass({ size: 'small' })}
                    to="/$orgId/myprofile"
                    params={{ orgId: organization.urlName }}
                  >
                    {text.toProfile}
                  </Link>
                }
              >
                {text.ownFirstLead}
              </Notice>
            </FullRow>
          )}
        </FieldGrid>
      </FormCard>
      {isAsking && (
        <LateConfirm
          onClose={() => setAsking(false)}
          title={rule === 'none' ? text.liftTitle : text.askTitle}
          act={rule === 'none' ? text.liftAct : text.askAct}
          onConfirm={save}
        >
          <p>{effect}</p>
          {rule !== 'none' && <p>{countOf(stored, rule)}</p>}
        </LateConfirm>
      )}
    </>
  );
}

type Chosen = { rule: SecondStepRule; day: string; atOnce: boolean };
/** A rule that applies already stays so unless another day is chosen. */
function chosenOf({ rule, from, holds }: Stored): Chosen {
  return { rule, day: from && !holds ? dayOf(from) : dayAfter(DEFAULT_DAYS), atOnce: holds };
}

/** When the stored rule applies, and how many members do not meet the chosen one. */
function noteOf(stored: Stored, rule: SecondStepRule) {
  const { from, holds } = stored;
  const start = from && fill(holds ? text.holds : text.willHold, { day: dayIn(null)(from) });
  const prefix = rule === stored.rule && start ? `${start} ` : '';
  return rule === 'none' ? undefined : <output>{`${prefix}${countOf(stored, rule)}`}</output>;
}

function countOf({ members, withoutAny, withoutStrong }: Stored, rule: SecondStepRule) {
  const count = rule === 'strong' ? withoutStrong : withoutAny;
  if (count === 0) return text.allReady;
  return fill(count === 1 ? text.oneUnready : text.unready, { count, members });
}
