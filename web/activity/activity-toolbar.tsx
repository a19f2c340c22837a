import { actionLabel, moduleLabel, typeLabel } from '#contract/activity/words.ts';
import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity/calls.ts';
import { activityPageText as text } from '#words/activity-page.ts';
import type { OrgId } from '#contract/wire.ts';
import { TextField } from '#web/ui/field.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { type ActivityFilter, canFind, isNarrow, isReversed, periods } from './activity-filter.ts';
import styles from './activity.module.css';
import type { Names } from './log.ts';
import { PersonField } from './person-field.tsx';

type Props = {
  id: string;
  orgId: OrgId;
  filter: ActivityFilter;
  onFilter: (filter: ActivityFilter) => void;
  onClear: () => void;
  names: Names;
  /** Only the person's own rows are shown, so there is no filter by person. */
  isOwn: boolean;
};

const kinds = {
  module: { any: text.anyModule, labelOf: moduleLabel, codes: MODULE },
  type: { any: text.anyType, labelOf: typeLabel, codes: ACTIVITY_TYPE },
  action: { any: text.anyAction, labelOf: actionLabel, codes: ACTION },
};
const kindNames = ['module', 'type', 'action'] as const;
const times = [
  { value: '', label: text.periods.any },
  ...periods.map((period) => ({ value: period, label: text.periods[period] })),
];
const codeOf = (codes: Readonly<Record<string, number>>, chosen: string) =>
  Object.values(codes).find((code) => String(code) === chosen);

export function ActivityToolbar({ id, orgId, filter, onFilter, onClear, names, isOwn }: Props) {
  const choose = (change: Partial<ActivityFilter>) => onFilter({ ...filter, ...change });
  const kind = { filter, isOwn, onChoose: choose };
  return (
    <search id={id} className={styles.toolbar} aria-label={text.filters}>
      {!isOwn && (
        <PersonField
          orgId={orgId}
          userId={filter.userId}
          names={names}
          onChange={(userId) => choose({ userId })}
        />
      )}
      {kindNames.map((name) => (
        <KindField key={name} {...kind} name={name} />
      ))}
      <SelectField
        label={text.period}
        options={times}
        value={filter.period ?? ''}
        onChange={({ target }) =>
          choose({ period: periods.find((name) => name === target.value), from: undefined, to: undefined })
        }
      />
      {filter.period === 'custom' &&
        (['from', 'to'] as const).map((name) => (
          <TextField
            key={name}
            label={text[name]}
            hint={name === 'to' && isReversed(filter) ? text.turned : undefined}
            type="date"
            min="1970-01-01"
            max="9999-12-31"
            value={filter[name] ?? ''}
            onChange={({ target }) => choose({ [name]: target.value || undefined })}
          />
        ))}
      {isNarrow(filter) && (
        <div className={styles.clear}>
          <LinkButton onClick={onClear}>{text.clear}</LinkButton>
        </div>
      )}
    </search>
  );
}

type KindProps = {
  name: (typeof kindNames)[number];
  filter: ActivityFilter;
  isOwn: boolean;
  onChoose: (change: Partial<ActivityFilter>) => void;
};

/** A filter from the address stays visible, even if it cannot find anything. */
function KindField({ name, filter, isOwn, onChoose }: KindProps) {
  const { any, labelOf, codes } = kinds[name];
  const isOffered = (code: number) => code === filter[name] || canFind[name](code, isOwn);
  const offered = Object.values(codes).filter(isOffered);
  return (
    <SelectField
      label={text[name]}
      options={[
        { value: '', label: any },
        ...offered.map((code) => ({ value: String(code), label: labelOf(code) ?? '' })),
      ]}
      value={filter[name] ?? ''}
      onChange={({ target }) => onChoose({ [name]: codeOf(codes, target.value) })}
    />
  );
}
