import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { filterIn, type MemberFilter, toAddress } from './member-filter.ts';

/** The filter of the list. The address keeps it for a reload or a return. */
export function useMemberFilter() {
  const navigate = useNavigate();
  const [filter, setFilter] = useState(() =>
    filterIn(Object.fromEntries(new URLSearchParams(location.search))),
  );
  const narrow = useCallback(
    (next: MemberFilter) => {
      setFilter(next);
      void navigate({ to: '.', search: toAddress(next), replace: true, resetScroll: false });
    },
    [navigate],
  );
  return [filter, narrow] as const;
}

/** The text in the search field. Only one search runs at a time; the next one uses the latest text. */
export function useTyped(asked: string, busy: boolean, ask: (typed: string) => void) {
  const [typed, setTyped] = useState(asked);
  useEffect(() => {
    if (!busy && typed !== asked) ask(typed);
  });
  return [typed, setTyped] as const;
}
