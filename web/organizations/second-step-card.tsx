import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ComponentType, type SubmitEvent, useRef, useState } from 'react';
import { dayIn } from '#contract/dates.ts';
import type { Output } from '#contract/endpoint.ts';
import type { Organization } from '#contract/organizations/calls.ts';
import { secondStepRules } from '#contract/organizations/second-step.ts';
import { SECOND_STEP_RULES, type SecondStepRule } from '#contract/organizations/second-step-rule.ts';
import { secondStepRuleText as text } from '#words/second-step-rule.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { call } from '#web/lib/call.ts';
import { warnNoChanges } from '#web/lib/edit-form.ts';
import { useUnsaved } from '#web/lib/unsaved.ts';
import { useCall } from '#web/lib/use-call.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { TextField } from '#web/ui/field.tsx';
import { LateConfirm } from '#web/ui/late-confirm.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Card, FieldGrid, FormCard, LoadFailed } from '#web/ui/sections.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { dayAfter, dayOf, startOf } from './rule-days.ts';
import styles from './second-step-card.module.css';

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
  /** The name of the button that asks for the step. */
  confirm: string;
  onMet: () => void;
};
type Props = { organization: Organization; Ways: ComponentType<SecondStepWaysProps> };

export function SecondStepCard({ organization, Ways }: Props) {
  const { data, isError, refetch } = useQuery(ruleQuery(organization));
  if (data) return <RuleForm organization={organization} Ways={Ways} stored={data} />;
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

function RuleForm({ organization, Ways, stored }: Props & { stored: Stored }) {
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
  const refresh = () => queryClient.invalidateQueries({ queryKey: ruleQuery(organization).queryKey });
  const ownFirst = useRef<HTMLDivElement>(null);
  const { run, busy } = useCall(secondStepRules.setRule, { second_step_required: () => void refresh() });
  const { rule, day, atOnce } = chosen;
  const asked =
    rule === 'none' || isWithin(rule, stored.proven)
      ? undefined
      : { rule, isReady: isWithin(rule, stored.ready), isShown: false };
  // The dialogs of the ways outlast the need for them.
  const [needsWays, setNeedsWays] = useState(false);
  if (asked && !needsWays) setNeedsWays(true);
  const isSame =
    rule === before.rule && (rule === 'none' || (atOnce === before.atOnce && (atOnce || day === before.day)));
  useUnsaved(!isSame);

  const choose = (change: Partial<Chosen>) => {
    setChosen({ ...chosen, ...change });
    setBadDay(false);
  };
  const ask = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isSame) warnNoChanges();
    else if (rule !== 'none' && !atOnce && !(day >= dayAfter(1))) setBadDay(true);
    else if (asked) ownFirst.current?.querySelector('button')?.focus();
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
  const unready = unreadyOf(stored, rule);
  const locksOut = rule !== 'none' && atOnce && !isSame && unready > 0;
  const lockOut = text.lockOut({ count: unready, members: stored.members });
  const effect = (rule === 'none' ? text.liftEffect : atOnce ? text.effectNow : text.effectLater)({
    organization: organization.name,
    day: needsDay ? dayIn(null)(startOf(day)) : '',
  });
  return (
    <>
      <FormCard
        form={{ props: { noValidate: true, onSubmit: ask }, busy }}
        act={locksOut ? lockOut : text.save}
        kind={locksOut ? 'danger' : 'primary'}
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
            <Checkbox
              label={text.atOnce}
              checked={atOnce}
              onChange={({ target }) => choose({ atOnce: target.checked })}
              wide
            />
          )}
        </FieldGrid>
        <div ref={ownFirst} className={styles.ownFirst}>
          {asked && (
            <Notice kind="warning" announce title={text.ownFirst}>
              {text.ownFirstLead}
            </Notice>
          )}
          {needsWays && (
            <Ways {...(asked && { asked })} confirm={text.confirmOwn} onMet={() => void refresh()} />
          )}
        </div>
      </FormCard>
      {isAsking && (
        <LateConfirm
          onClose={() => setAsking(false)}
          title={rule === 'none' ? text.liftTitle : text.askTitle}
          act={rule === 'none' ? text.liftAct : locksOut ? lockOut : text.askAct}
          destructive={locksOut}
          onConfirm={save}
        >
          <p>{effect}</p>
          {rule !== 'none' && <p>{countWords(unready, stored.members)}</p>}
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

const isWithin = (rule: SecondStepRule, strictest: SecondStepRule) =>
  SECOND_STEP_RULES.indexOf(rule) <= SECOND_STEP_RULES.indexOf(strictest);

/** When the stored rule applies, and how many members do not meet the chosen one. */
function noteOf(stored: Stored, rule: SecondStepRule) {
  if (rule === 'none') return undefined;
  const { from, holds, members } = stored;
  const unready = unreadyOf(stored, rule);
  const count = countWords(unready, members);
  // Typed loosely, because each page has its own query.
  const [here, filter]: [string, object] = ['.', { lacks: rule }];
  return (
    <output>
      {rule === stored.rule && from && (
        <span>{`${(holds ? text.holds : text.willHold)({ day: dayIn(null)(from) })} `}</span>
      )}
      {unready === 0 ? (
        <span>{count}</span>
      ) : (
        <Link to={here} search={filter} hash="members" className={styles.count}>
          {count}
        </Link>
      )}
    </output>
  );
}

const unreadyOf = ({ withoutAny, withoutStrong }: Stored, rule: SecondStepRule) =>
  rule === 'strong' ? withoutStrong : withoutAny;

const countWords = (count: number, members: number) =>
  count === 0 ? text.allReady : text.unready({ count, members });
