import { queryOptions } from '@tanstack/react-query';
import { authenticator } from '#contract/sign-in/authenticator.ts';
import { passkeys } from '#contract/sign-in/passkeys.ts';
import { recoveryCodes } from '#contract/sign-in/recovery-codes.ts';
import { call } from '#web/lib/call.ts';
import { SECOND_STEPS_KEY } from '#web/lib/second-steps.ts';

const about = <T>(name: string, queryFn: () => Promise<T>) =>
  // Another window may change them, so the focus refetches.
  queryOptions({ queryKey: [SECOND_STEPS_KEY, name], queryFn, refetchOnWindowFocus: true });

export const passkeysQuery = about('passkeys', () => call(passkeys.list, {}));
export const locksQuery = about('locks', () => call(passkeys.locks, {}));
export const appQuery = about('app', () => call(authenticator.app, {}));
export const recoveryCodesQuery = about('recovery-codes', () => call(recoveryCodes.count, {}));
