import { queryOptions } from '@tanstack/react-query';
import { sessions } from '#contract/sessions/calls.ts';
import { call } from '#web/lib/call.ts';

/** The person's signed-in devices. Refetched when the window gets focus. */
export const devicesQuery = queryOptions({
  queryKey: ['devices'],
  queryFn: () => call(sessions.list, {}),
  refetchOnWindowFocus: true,
});
