import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query';
import { stepUp } from '#contract/sign-in/step-up.ts';
import { waysIn } from '#contract/sign-in/ways-in.ts';
import { call, type CallError } from './call.ts';
import { present } from './failures.ts';

/** The query keys of ways in begin with this. */
export const SECOND_STEPS_KEY = 'second-steps';

export const waysInQuery = queryOptions({
  queryKey: [SECOND_STEPS_KEY],
  queryFn: () => call(waysIn.read, {}),
  // Another window may change them.
  refetchOnWindowFocus: true,
});

/** The ways to meet a rule for second steps in this session. */
export const proofsQuery = (step: 'any' | 'strong') =>
  queryOptions({
    queryKey: [SECOND_STEPS_KEY, 'proofs', step],
    queryFn: () => call(stepUp.proofs, { step }),
  });

export const refetchSecondSteps = (client: QueryClient) =>
  Promise.all([SECOND_STEPS_KEY, 'session'].map((key) => client.invalidateQueries({ queryKey: [key] })));

export function useStepGone(onClose: () => void) {
  const client = useQueryClient();
  return (failure: CallError) => {
    present(failure);
    void refetchSecondSteps(client);
    onClose();
  };
}
