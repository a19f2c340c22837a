type Pages = {
  data: unknown;
  isError: boolean;
  refetch: () => unknown;
  hasNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: () => unknown;
};
export const pagesOf = (list: Pages, busy: boolean) => ({
  more: list.hasNextPage
    ? { fetch: () => void list.fetchNextPage(), failed: list.isFetchNextPageError, busy }
    : undefined,
  error: list.isError && list.data === undefined,
  onRetry: () => void list.refetch(),
});
