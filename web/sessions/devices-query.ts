import { queryOptions } from '@tanstack/react-query';
import { sessions } from '#contract/sessions.ts';
import { call } from '#web/lib/call.ts';

/** The devices the person is signed in on; looked up again as they come back to the window. */
export const devicesQuery = queryOptions({
  queryKey: ['devices'],
  queryFn: () => call(sessions.list, {}),
  refetchOnWindowFocus: true,
});
