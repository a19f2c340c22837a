import { queryOptions } from '@tanstack/react-query';
import { rememberedBrowsers } from '#contract/sign-in/remembered-browsers.ts';
import { call } from '#web/lib/call.ts';

export const rememberedQuery = queryOptions({
  queryKey: ['remembered'],
  queryFn: () => call(rememberedBrowsers.remembered, {}),
  refetchOnWindowFocus: true,
});
