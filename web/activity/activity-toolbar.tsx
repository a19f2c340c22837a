import { actionLabels, moduleLabels, typeLabels } from '#contract/activity/words.ts';
import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity/calls.ts';
import { activityPageText as text } from '#contract/text/activity-page.ts';
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

const optionsOf = (
  any: string,
  labels: ReadonlyMap<number, string>,
  isOffered: (code: number) => boolean,
) => [
  { value: '', label: any },
  ...[...labels].filter(([code]) => isOffered(code)).map(([code, label]) => ({ value: String(code), label })),
];
const times = [
  { value: '', label: text.periods.any },
  ...periods.map((period) => ({ value: period, label: text.periods[period] })),
];
const codeOf = <T extends number>(codes: Readonly<Record<string, T>>, chosen: string) =>
  Object.values(codes).find((code) => String(code) === chosen);

/** The filters of the log. The server applies them. */
export function ActivityToolbar({ id, orgId, filter, onFilter, onClear, names, isOwn }: Props) {
  const choose = (change: Partial<ActivityFilter>) => onFilter({ ...filter, ...change });
  // A filter from the address stays visible, even if it cannot find anything.
  const modules = optionsOf(
    text.anyModule,
    moduleLabels,
    (code) => code === filter.module || canFind.module(code, isOwn),
  );
  const types = optionsOf(
    text.anyType,
    typeLabels,
    (code) => code === filter.type || canFind.type(code, isOwn),
  );
  const actions = optionsOf(
    text.anyAction,
    actionLabels,
    (code) => code === filter.action || canFind.action(code, isOwn),
  );
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
      <SelectField
        label={text.module}
        options={modules}
        value={filter.module ?? ''}
        onChange={({ target }) => choose({ module: codeOf(MODULE, target.value) })}
      />
      <SelectField
        label={text.type}
        options={types}
        value={filter.type ?? ''}
        onChange={({ target }) => choose({ type: codeOf(ACTIVITY_TYPE, target.value) })}
      />
      <SelectField
        label={text.action}
        options={actions}
        value={filter.action ?? ''}
        onChange={({ target }) => choose({ action: codeOf(ACTION, target.value) })}
      />
      <SelectField
        label={text.period}
        options={times}
        value={filter.period ?? ''}
        onChange={({ target }) =>
          choose({ period: periods.find((name) => name === target.value), from: undefined, to: undefined })
        }
      />
      {filter.period === 'custom' && (
        <>
          <TextField
            label={text.from}
            type="date"
            min="1970-01-01"
            max="9999-12-31"
            value={filter.from ?? ''}
            onChange={({ target }) => choose({ from: target.value || undefined })}
          />
          <TextField
            label={text.to}
            hint={isReversed(filter) ? text.turned : undefined}
            type="date"
            min="1970-01-01"
            max="9999-12-31"
            value={filter.to ?? ''}
            onChange={({ target }) => choose({ to: target.value || undefined })}
          />
        </>
      )}
      {isNarrow(filter) && (
        <div className={styles.clear}>
          <LinkButton onClick={onClear}>{text.clear}</LinkButton>
        </div>
      )}
    </search>
  );
}
