import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** Shows the result of a call. A fetch in flight may hold older data, so it restarts. */
export function showChanged<Data>(client: QueryClient, queryKey: QueryKey, changed: Partial<Data>) {
  client.setQueryData<Data>(queryKey, (before) => before && { ...before, ...changed });
  if (client.isFetching({ queryKey })) void client.invalidateQueries({ queryKey });
}
