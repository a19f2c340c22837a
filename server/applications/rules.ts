import type { Proof, Step } from '#contract/applications/authorization.ts';
import { email } from '#contract/fields.ts';

type Question = {
  /** The prompt that stopped the request. */
  readonly prompt: string;
  readonly wantsSignUp: boolean;
  readonly isSignedIn: boolean;
  /** Whether the person has proven who they are since the request. */
  readonly isProven: boolean;
  /** Whether the organization or the application still waits for a second step. */
  readonly isClosed: boolean;
};

/** The step that the page of an application's request shows. */
export function stepOf({ prompt, wantsSignUp, isSignedIn, isProven, isClosed }: Question): Step {
  if (prompt === 'Leaving') return 'leave';
  if (!isSignedIn) return wantsSignUp ? 'sign-up' : 'sign-in';
  if (prompt === 'login') return isProven ? 'go-on' : 'confirm';
  if (prompt === 'outside') return isProven ? 'go-on' : 'no-entry';
  if (prompt === 'select_account' || prompt === 'create') return isProven ? 'go-on' : 'account';
  if (prompt === 'second_step' && isClosed) return 'second-step';
  return prompt === 'organization' || prompt === 'consent' ? prompt : 'go-on';
}

/** The proof to offer first: the password if there is one, else the quickest. */
export const proofOf = (ways: readonly Proof[]): Proof =>
  ways.includes('password') ? 'password' : (ways[0] ?? 'sign-in');

/** The address that `login_hint` names; null if it is none, such as a telephone number. */
export const hintedEmail = (hint: string | undefined): string | null => email.safeParse(hint).data ?? null;
