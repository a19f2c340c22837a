import type { SecondStepRule } from '#contract/organizations/second-step-rule.ts';
import { secondStepRuleText as text } from '#contract/text/second-step-rule.ts';
import { fill } from '#contract/text.ts';
import { Confirm } from '#web/ui/confirm.tsx';

type Props = {
  organization: string;
  rule: SecondStepRule;
  /** The day from which the rule applies. Undefined if it applies at once. */
  day: string | undefined;
  /** How many members do not meet the rule. */
  unready: string;
  onClose: () => void;
  onConfirm: () => Promise<void>;
};

/** Asks before the rule changes, because it may shut members out. */
export function SecondStepConfirm({ organization, rule, day, unready, onClose, onConfirm }: Props) {
  if (rule === 'none')
    return (
      <Confirm open onClose={onClose} title={text.liftTitle} act={text.liftAct} onConfirm={onConfirm}>
        {fill(text.liftEffect, { organization })}
      </Confirm>
    );
  return (
    <Confirm open onClose={onClose} title={text.askTitle} act={text.askAct} onConfirm={onConfirm}>
      <p>{fill(day === undefined ? text.effectNow : text.effectLater, { organization, day: day ?? '' })}</p>
      <p>{unready}</p>
    </Confirm>
  );
}
