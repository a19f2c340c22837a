import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import type { CallError } from './call.ts';
import { present } from './failures.ts';

/** The query keys of passkeys, app, recovery codes and locks begin with this. */
export const SECOND_STEPS_KEY = 'second-steps';

/** Refetches what a change of a second step touches: also two-step sign-in, and organizations that ask for one. */
export const refetchSecondSteps = (client: QueryClient) =>
  Promise.all([SECOND_STEPS_KEY, 'session'].map((key) => client.invalidateQueries({ queryKey: [key] })));

/** Shows a refusal that makes the dialog pointless, and the second steps as they are now. */
export function useGone(onClose: () => void) {
  const client = useQueryClient();
  return (failure: CallError) => {
    present(failure);
    void refetchSecondSteps(client);
    onClose();
  };
}
