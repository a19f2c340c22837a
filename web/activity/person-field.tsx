import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Member } from '#contract/members/calls.ts';
import { personName } from '#contract/profile/person-name.ts';
import { activityPageText as text } from '#words/activity-page.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { LateCombobox } from '#web/ui/late-combobox.tsx';
import { peopleQuery } from './activity-queries.ts';
import type { Names } from './log.ts';

type Props = {
  orgId: OrgId;
  userId: UserId | undefined;
  names: Names;
  onChange: (userId: UserId | undefined) => void;
};

const memberName = ({ firstName, lastName, email }: Member) => personName(firstName, lastName, email);

/** The server searches, because there may be many members. */
export function PersonField({ orgId, userId, names, onChange }: Props) {
  const [search, setSearch] = useState('');
  const { data: members = [] } = useQuery(peopleQuery(orgId, search.trim()));
  const [choice, setChoice] = useState<{ value: string; label: string }>();
  const options = members.map((member) => ({ value: String(member.userId), label: memberName(member) }));
  const value = userId === undefined ? null : String(userId);
  const isFound = options.some((option) => option.value === value);
  const extraOptions =
    value === null || isFound
      ? []
      : [choice?.value === value ? choice : { value, label: names[value] ?? text.chosenPerson }];
  return (
    <LateCombobox
      label={text.person}
      placeholder={text.anyPerson}
      empty={text.nobody}
      // During a search show only its results. Otherwise include the chosen person.
      options={search === '' ? [...extraOptions, ...options] : options}
      value={value}
      onSearch={setSearch}
      onChange={(next) => {
        setChoice(options.find((option) => option.value === next));
        setSearch('');
        onChange(next === null ? undefined : (Number(next) as UserId));
      }}
    />
  );
}
