import { REMEMBERED_DAYS } from '#contract/limits.ts';
import { secondStepText as text } from '#contract/text/second-step.ts';
import { fill } from '#contract/text.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';

type Props = { checked: boolean; onChange: (checked: boolean) => void };

/** Lets this browser sign in without a second step for some time. */
export const RememberField = ({ checked, onChange }: Props) => (
  <Checkbox
    label={fill(text.remember, { days: REMEMBERED_DAYS })}
    checked={checked}
    onChange={({ target }) => onChange(target.checked)}
  />
);
