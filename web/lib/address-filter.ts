import { useNavigate } from '@tanstack/react-router';
import { useCallback, useState } from 'react';

type InAddress = Readonly<Record<string, string>>;

export function useAddressFilter<Filter>(
  filterIn: (query: InAddress) => Filter,
  toAddress: (filter: Filter) => InAddress,
): readonly [Filter, (next: Filter) => void] {
  const navigate = useNavigate();
  const [filter, setFilter] = useState(() =>
    filterIn(Object.fromEntries(new URLSearchParams(location.search))),
  );
  const changeFilter = useCallback(
    (next: Filter) => {
      setFilter(next);
      void navigate({ to: '.', search: toAddress(next), replace: true, resetScroll: false });
    },
    [navigate, toAddress],
  );
  return [filter, changeFilter];
}
