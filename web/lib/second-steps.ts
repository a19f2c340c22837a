import type { QueryClient } from '@tanstack/react-query';

/** The query keys of passkeys, app, recovery codes and locks begin with this. */
export const SECOND_STEPS_KEY = 'second-steps';

/** Refetches what a change of a second step touches: also two-step sign-in, and organizations that ask for one. */
export const refetchSecondSteps = (client: QueryClient) =>
  Promise.all([SECOND_STEPS_KEY, 'session'].map((key) => client.invalidateQueries({ queryKey: [key] })));
