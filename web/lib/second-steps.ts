import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import type { CallError } from './call.ts';
import { present } from './failures.ts';

/** The query keys of passkeys, app, recovery codes and locks begin with this. */
export const SECOND_STEPS_KEY = 'second-steps';

/** Refetches what depends on second steps: also two-step sign-in, and organizations that ask for one. */
export const refetchSecondSteps = (client: QueryClient) =>
  Promise.all([SECOND_STEPS_KEY, 'session'].map((key) => client.invalidateQueries({ queryKey: [key] })));

/** Closes a dialog that a refusal has made pointless: shows the refusal and refetches. */
export function useGone(onClose: () => void) {
  const client = useQueryClient();
  return (failure: CallError) => {
    present(failure);
    void refetchSecondSteps(client);
    onClose();
  };
}
