import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** Shows what a call has changed; a lookup under way, which may have been answered before it, begins anew. */
export function showChanged<Data>(client: QueryClient, queryKey: QueryKey, changed: Partial<Data>) {
  client.setQueryData<Data>(queryKey, (before) => before && { ...before, ...changed });
  if (client.isFetching({ queryKey })) void client.invalidateQueries({ queryKey });
}
