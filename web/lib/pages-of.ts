import type { UseInfiniteQueryResult } from '@tanstack/react-query';

export const pagesOf = (list: UseInfiniteQueryResult, busy: boolean) => ({
  more: list.hasNextPage
    ? { fetch: () => void list.fetchNextPage(), failed: list.isFetchNextPageError, busy }
    : undefined,
  error: list.isError && list.data === undefined,
  onRetry: () => void list.refetch(),
});
