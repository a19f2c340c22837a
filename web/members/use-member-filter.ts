import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { filterIn, type MemberFilter, toAddress } from './member-filter.ts';

/** The filter of the list. The address keeps it for a reload or a return. */
export function useMemberFilter() {
  const navigate = useNavigate();
  const [filter, setFilter] = useState(() =>
    filterIn(Object.fromEntries(new URLSearchParams(location.search))),
  );
  const changeFilter = useCallback(
    (next: MemberFilter) => {
      setFilter(next);
      void navigate({ to: '.', search: toAddress(next), replace: true, resetScroll: false });
    },
    [navigate],
  );
  return [filter, changeFilter] as const;
}

/** The text in the search field. Only one search runs at a time; the next one uses the latest text. */
export function useSearchText(search: string, busy: boolean, onSearch: (typed: string) => void) {
  const [typed, setTyped] = useState(search);
  useEffect(() => {
    if (!busy && typed !== search) onSearch(typed);
  });
  return [typed, setTyped] as const;
}
