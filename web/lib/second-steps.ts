import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import type { CallError } from './call.ts';
import { present } from './failures.ts';

/** The query keys of passkeys, app, recovery codes and locks begin with this. */
export const SECOND_STEPS_KEY = 'second-steps';

export const refetchSecondSteps = (client: QueryClient) =>
  Promise.all([SECOND_STEPS_KEY, 'session'].map((key) => client.invalidateQueries({ queryKey: [key] })));

export function useGone(onClose: () => void) {
  const client = useQueryClient();
  return (failure: CallError) => {
    present(failure);
    void refetchSecondSteps(client);
    onClose();
  };
}
