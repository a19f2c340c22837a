import { type ReactNode, type SubmitEvent, useRef, useState } from 'react';
import { dayIn } from '#contract/dates.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { warnNoChanges } from '#web/lib/edit-form.ts';
import { pageDrafts, useDraft } from '#web/lib/page-drafts.ts';
import { useUnsaved } from '#web/lib/unsaved.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { TextField } from '#web/ui/field.tsx';
import { LateConfirm } from '#web/ui/late-confirm.tsx';
import { FormCard } from '#web/ui/form-card.tsx';
import { FieldGrid } from '#web/ui/sections.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { dayAfter, dayOf, startOf } from './rule-days.ts';
import styles from './rule-form.module.css';

type Stored<R> = { readonly rule: R; readonly from: Date | null; readonly holds: boolean };
type Chosen<R> = { rule: R; day: string; atOnce: boolean };

/** A rule that applies already stays so unless another day is chosen. */
const chosenOf = <R extends string>({ rule, from, holds }: Stored<R>, days: number): Chosen<R> => ({
  rule,
  day: from && !holds ? dayOf(from) : dayAfter(days),
  atOnce: holds,
});

function keptIn<R extends string>(form: string, rules: readonly R[]): Chosen<R> | undefined {
  const { rule, day = '', atOnce } = pageDrafts.read(form) ?? {};
  const known = rules.find((name) => name === rule);
  return known && { rule: known, day, atOnce: atOnce === 'yes' };
}

/** The rule that an admin chooses for members, and its day. The first one is none. */
export function useRule<R extends string>(rules: readonly R[], stored: Stored<R>, days: number) {
  const before = chosenOf(stored, days);
  const form = JSON.stringify([rules, stored.rule, stored.from]);
  const [chosen, setChosen] = useState(() => keptIn(form, rules) ?? before);
  // A rule set elsewhere replaces what is chosen here.
  const [lastStored, setLastStored] = useState(stored);
  if (lastStored.rule !== stored.rule || lastStored.from?.getTime() !== stored.from?.getTime()) {
    setLastStored(stored);
    setChosen(before);
  }
  const { rule, day, atOnce } = chosen;
  const isRule = rule !== rules[0];
  const isSame =
    rule === before.rule && (!isRule || (atOnce === before.atOnce && (atOnce || day === before.day)));
  useUnsaved(!isSame);
  useDraft(form, isSame ? undefined : { rule, day, atOnce: atOnce ? 'yes' : '' });
  return {
    ...chosen,
    rules,
    stored,
    isRule,
    isSame,
    choose: (change: Partial<Chosen<R>>) => setChosen({ ...chosen, ...change }),
    /** Without a time, the rule applies from the server's current time. */
    input: { rule, ...(isRule && !atOnce && { from: startOf(day) }) },
  };
}

type Words<R extends string> = {
  readonly [Word in 'title' | 'rule' | 'from' | 'badDay' | 'atOnce' | 'save' | 'saved']: string;
} & { readonly [Word in 'askTitle' | 'askAct' | 'liftTitle' | 'liftAct']: string } & {
  readonly [Word in 'holds' | 'willHold']: (values: { day: string }) => string;
} & { readonly [Word in 'rules' | 'hints']: Readonly<Record<R, string>> };

type Props<R extends string> = {
  chosen: ReturnType<typeof useRule<R>>;
  /** The beginning of the fields' names. */
  name: string;
  text: Words<R> & { readonly fromHint?: string };
  lead: string;
  /** How many members the rule would keep out. */
  count: ReactNode;
  locksOut: boolean;
  /** The act's name if it locks members out. */
  lockOut?: string;
  /** Words and buttons for an admin who does not meet the rule yet. */
  first: ReactNode;
  isReady: boolean;
  effect: ReactNode;
  busy: boolean;
  /** Undefined if it was refused. */
  onSave: () => Promise<object | undefined>;
};

export function RuleForm<R extends string>(props: Props<R>) {
  const { chosen, name, text, lead, count, locksOut, first, isReady, effect, busy, onSave } = props;
  const { rule, day, atOnce, rules, stored, isRule, isSame } = chosen;
  const lockOut = locksOut ? props.lockOut : undefined;
  const [isAsking, setAsking] = useState(false);
  const [hasBadDay, setBadDay] = useState(false);
  const ownFirst = useRef<HTMLDivElement>(null);
  const choose = (change: Parameters<typeof chosen.choose>[0]) => {
    chosen.choose(change);
    setBadDay(false);
  };
  const ask = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isSame) warnNoChanges();
    else if (isRule && !atOnce && !(day >= dayAfter(1))) setBadDay(true);
    else if (isReady) setAsking(true);
    else ownFirst.current?.querySelector('button')?.focus();
  };
  return (
    <>
      <FormCard
        form={{ props: { noValidate: true, onSubmit: ask }, busy }}
        act={lockOut ?? text.save}
        kind={lockOut ? 'danger' : 'primary'}
        title={text.title}
        lead={lead}
        note={
          isRule && (
            <output>
              {stored.from && rule === stored.rule && (
                <span>{`${(stored.holds ? text.holds : text.willHold)({ day: dayIn(null)(stored.from) })} `}</span>
              )}
              <span className={styles.count}>{count}</span>
            </output>
          )
        }
      >
        <FieldGrid>
          <SelectField
            label={text.rule}
            hint={text.hints[rule]}
            name={`${name}-rule`}
            value={rule}
            options={rules.map((value) => ({ value, label: text.rules[value] }))}
            onChange={({ target }) => choose({ rule: rules.find((one) => one === target.value) ?? rule })}
          />
          {isRule && !atOnce && (
            <TextField
              label={text.from}
              hint={text.fromHint}
              error={hasBadDay ? text.badDay : undefined}
              name={`${name}-from`}
              type="date"
              min={dayAfter(1)}
              max="9999-12-31"
              required
              value={day}
              onChange={({ target }) => choose({ day: target.value })}
            />
          )}
          {isRule && (
            <Checkbox
              label={text.atOnce}
              checked={atOnce}
              onChange={({ target }) => choose({ atOnce: target.checked })}
              wide
            />
          )}
        </FieldGrid>
        <div ref={ownFirst} style={{ display: 'contents' }}>
          {first}
        </div>
      </FormCard>
      {isAsking && (
        <LateConfirm
          onClose={() => setAsking(false)}
          title={isRule ? text.askTitle : text.liftTitle}
          act={isRule ? (lockOut ?? text.askAct) : text.liftAct}
          destructive={locksOut}
          onConfirm={async () => {
            if (await onSave()) showAlert({ kind: 'success', text: text.saved });
          }}
        >
          {effect}
        </LateConfirm>
      )}
    </>
  );
}
