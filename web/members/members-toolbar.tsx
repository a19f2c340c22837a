import { Search } from 'lucide-react';
import { EMAIL_MAX_CHARACTERS } from '#contract/limits.ts';
import { MEMBER_STATUS, memberSorts, type MemberStatus } from '#contract/members/calls.ts';
import type { Role } from '#contract/roles/calls.ts';
import { membersText as text } from '#words/members.ts';
import { TextField } from '#web/ui/field.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { isNarrow, LACKING, LACKING_LINK, LACKING_STEP, type MemberFilter } from './member-filter.ts';
import styles from './members.module.css';

const statuses: readonly MemberStatus[] = Object.values(MEMBER_STATUS);
const statusOptions = [
  { value: '', label: text.anyStatus },
  ...statuses.map((status) => ({ value: String(status), label: text.statuses[status] })),
];
const lackOption = (value: NonNullable<MemberFilter['lacks']>) => ({ value, label: text.lacks[value] });
/** The card of the company's rule leads here with its choices. */
const optionsFor = ({ lacks }: MemberFilter) => {
  const lacking = LACKING_LINK.some((name) => name === lacks) ? LACKING : LACKING_STEP;
  return [...statusOptions, ...lacking.map(lackOption)];
};
/** A menu for sorting, because the email has no column head, and stacked rows have no heads at all. */
const sortOptions = [
  { value: '', label: text.sorts.time },
  ...memberSorts.map((sort) => ({ value: sort, label: text.sorts[sort] })),
];

type Props = {
  filter: MemberFilter;
  onFilter: (filter: MemberFilter) => void;
  typed: string;
  onType: (typed: string) => void;
  onClear: () => void;
  roles: readonly Role[];
  seesSteps: boolean;
  busy: boolean;
  matchCount: number | undefined;
};

export function MembersToolbar(props: Props) {
  const { filter, onFilter, typed, onType, onClear, roles, seesSteps, busy, matchCount } = props;
  // If nobody matches, the table says so and offers to clear the filter.
  const showsMatches = isNarrow(filter) && matchCount !== 0;
  const isSearching = busy && matchCount === undefined;
  return (
    <search className={styles.toolbar} aria-label={text.filters}>
      <div className={styles.search}>
        <TextField
          label={text.search}
          hideLabel
          type="search"
          name="member-search"
          autoComplete="off"
          spellCheck={false}
          placeholder={text.searchHint}
          maxLength={EMAIL_MAX_CHARACTERS}
          value={typed}
          end={isSearching ? <Spinner /> : <Search aria-hidden="true" />}
          onChange={(event) => onType(event.target.value)}
        />
      </div>
      <SelectField
        label={text.status}
        hideLabel
        options={seesSteps ? optionsFor(filter) : statusOptions}
        value={filter.lacks ?? filter.status ?? ''}
        onChange={({ target }) =>
          onFilter({
            ...filter,
            status: statuses.find((status) => String(status) === target.value),
            lacks: LACKING.find((lacks) => lacks === target.value),
          })
        }
      />
      <SelectField
        label={text.role}
        hideLabel
        options={[
          { value: '', label: text.anyRole },
          ...roles.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        value={filter.roleId ?? ''}
        onChange={({ target }) =>
          onFilter({ ...filter, roleId: roles.find(({ id }) => String(id) === target.value)?.id })
        }
      />
      <div className={styles.sort}>
        <SelectField
          label={text.sort}
          hideLabel
          options={sortOptions}
          value={filter.sort ?? ''}
          onChange={({ target }) => {
            const sort = memberSorts.find((name) => name === target.value);
            onFilter({ ...filter, sort, descending: false });
          }}
        />
      </div>
      <div className={styles.found}>
        <output className={showsMatches ? undefined : 'visually-hidden'}>
          {isNarrow(filter) && matchCount !== undefined && matchWords(matchCount)}
        </output>
        {showsMatches && filter.lacks && <Pill>{text.lacks[filter.lacks]}</Pill>}
        {showsMatches && <LinkButton onClick={onClear}>{text.clear}</LinkButton>}
      </div>
    </search>
  );
}

const matchWords = (count: number) => (count === 0 ? text.foundNobody : text.found({ count }));
