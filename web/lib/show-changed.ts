import type { DataTag, QueryClient, QueryKey } from '@tanstack/react-query';

/** Shows what a call has changed; a lookup under way, which may have been answered before it, begins anew. */
export function showChanged<Data>(
  client: QueryClient,
  queryKey: DataTag<QueryKey, Data, Error>,
  change: (before: Data) => Data,
) {
  client.setQueryData<Data>(queryKey, (before) => before && change(before));
  const query = { queryKey, exact: true };
  if (client.isFetching(query)) void client.invalidateQueries(query);
}
