import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { filterIn, type MemberFilter, toAddress } from './member-filter.ts';

/** The filter of the list; the address keeps it, so that a page loaded again or come back to shows the same. */
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

/**
 * What is typed into the search, asked for as fast as answers come: one question at a time, and the next one is
 * whatever stands there by then.
 */
export function useTyped(asked: string, busy: boolean, ask: (typed: string) => void) {
  const [typed, setTyped] = useState(asked);
  useEffect(() => {
    if (!busy && typed !== asked) ask(typed);
  });
  return [typed, setTyped] as const;
}
