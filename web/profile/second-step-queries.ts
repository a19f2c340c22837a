import { queryOptions } from '@tanstack/react-query';
import { authenticator } from '#contract/sign-in/authenticator.ts';
import { passkeys } from '#contract/sign-in/passkeys.ts';
import { recoveryCodes } from '#contract/sign-in/recovery-codes.ts';
import { call } from '#web/lib/call.ts';
import { SECOND_STEPS_KEY } from '#web/lib/second-steps.ts';

// Another window may change them, so the focus refetches.
export const passkeysQuery = queryOptions({
  queryKey: [SECOND_STEPS_KEY, 'passkeys'],
  queryFn: () => call(passkeys.list, {}),
  refetchOnWindowFocus: true,
});
export const locksQuery = queryOptions({
  queryKey: [SECOND_STEPS_KEY, 'locks'],
  queryFn: () => call(passkeys.locks, {}),
  refetchOnWindowFocus: true,
});
export const appQuery = queryOptions({
  queryKey: [SECOND_STEPS_KEY, 'app'],
  queryFn: () => call(authenticator.app, {}),
  refetchOnWindowFocus: true,
});
export const recoveryCodesQuery = queryOptions({
  queryKey: [SECOND_STEPS_KEY, 'recovery-codes'],
  queryFn: () => call(recoveryCodes.count, {}),
  refetchOnWindowFocus: true,
});
