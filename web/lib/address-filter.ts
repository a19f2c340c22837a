import { useLocation, useNavigate } from '@tanstack/react-router';
import { useCallback, useState } from 'react';

type InAddress = Readonly<Record<string, string>>;

export function useAddressFilter<Filter>(
  filterIn: (query: InAddress) => Filter,
  toAddress: (filter: Filter) => InAddress,
): readonly [Filter, (next: Filter) => void] {
  const navigate = useNavigate();
  const [path] = useState(location.pathname);
  const address = useLocation({
    select: ({ pathname, searchStr }) => (pathname === path ? searchStr : undefined),
  });
  const queryOf = (filter: Filter) => new URLSearchParams(toAddress(filter)).toString();
  const read = (query = '') => filterIn(Object.fromEntries(new URLSearchParams(query)));
  const [filter, setFilter] = useState(() => read(location.search));
  // A link or the back button may bring another filter.
  const [lastAddress, setLastAddress] = useState(address);
  if (address !== lastAddress) {
    setLastAddress(address);
    const next = read(address);
    // The address may spell a typed search otherwise.
    const isOther = queryOf(next) !== queryOf(read(queryOf(filter)));
    if (address !== undefined && isOther) setFilter(next);
  }
  const changeFilter = useCallback(
    (next: Filter) => {
      setFilter(next);
      void navigate({ to: '.', search: toAddress(next), replace: true, resetScroll: false });
    },
    [navigate, toAddress],
  );
  return [filter, changeFilter];
}
