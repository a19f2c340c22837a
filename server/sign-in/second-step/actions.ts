import type { Input } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import type { otherSteps } from '#contract/sign-in/other-steps.ts';
import type { secondStep } from '#contract/sign-in/second-step.ts';
import { type Account, lockAccount } from '#server/accounts/data.ts';
import { blockOf } from '#server/accounts/rules.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Method } from '#server/db/tables.ts';
import type { Deps } from '#server/deps.ts';
import {
  type Browser,
  completeSignIn,
  whyNotOwnWay,
  locateBrowser,
  type Onward,
} from '#server/sign-in/completion/actions.ts';
import {
  answerChallenge,
  closeChallenge,
  isMailedCode,
  renewChallenge,
  type TriedChallenge,
} from '#server/sign-in/challenge/actions.ts';
import type { ChallengeKey } from '#server/sign-in/challenge/data.ts';
import {
  checkAppCode,
  checkRecoveryCode,
  refuseRecoveryCode,
  spendRecoveryCode,
  useAppCode,
} from '#server/sign-in/factors/actions.ts';
import { findFactors } from '#server/sign-in/factors/data.ts';
import { guessesOf } from '#server/sign-in/factors/guesses.ts';
import { replacedStep } from '#server/sign-in/factors/rules.ts';
import type { RememberedStep } from '#server/sign-in/remembered/data.ts';

export const renewCode = async (deps: Deps, cookie: string | undefined) =>
  cookie ? renewChallenge(deps, { token: cookie }, 'signInCode') : refuse('otp_expired');

type StepInput = Onward & { readonly remember?: boolean | undefined };

/** Finishes a sign-in with the mailed code. The account comes from the challenge cookie, not the request. */
export const verifyCode = verifier((deps, { otp }: Input<typeof secondStep.verifyCode>) => ({
  step: 'mail',
  check: (tx, challenge, key) => isMailedCode(deps, key, otp)(tx, challenge),
  use: async () => undefined,
}));

export const verifyAppCode = verifier((deps, { code }: Input<typeof otherSteps.verifyAppCode>) => ({
  step: 'app',
  check: (tx, { userId }) => checkAppCode(tx, deps, userId, code),
  use: (tx, { id }, step) => useAppCode(tx, deps, id, step),
}));

export const verifyRecoveryCode = verifier((deps, { code }: Input<typeof otherSteps.verifyRecoveryCode>) => ({
  step: 'recovery',
  check: (tx, { userId }) => checkRecoveryCode(tx, deps, userId, code),
  use: (tx, account, hash) => spendRecoveryCode(tx, deps, account, hash),
  refuseWrong: refuseRecoveryCode,
}));

type Step<Proven> = {
  readonly step: RememberedStep;
  /** Checks the answer before the transaction that acts on it. Wrong ones count. */
  readonly check: (
    tx: Tx,
    challenge: TriedChallenge,
    key: ChallengeKey,
  ) => Promise<Proven | Refusal<'otp_invalid'> | undefined>;
  /** Uses the answer up. Of two equal answers one wins. */
  readonly use: (tx: Tx, account: Account, proven: Proven) => Promise<Refusal<'otp_invalid'> | undefined>;
  readonly refuseWrong?: () => Refusal<'otp_invalid'>;
};
function verifier<I extends StepInput, Proven>(stepOf: (deps: Deps, input: I) => Step<Proven>) {
  return async (deps: Deps, input: I, cookie: string | undefined, browser: Browser) => {
    if (!cookie) return refuse('otp_expired');
    const { step, check, use, refuseWrong } = stepOf(deps, input);
    const key = { token: cookie };
    const challenge = await answerChallenge(deps, key, (tx, tried) => check(tx, tried, key), { refuseWrong });
    if (challenge instanceof Refusal) return challenge;
    const locatedBrowser = await locateBrowser(deps, browser);
    const done = await transaction(deps.sql, async (tx) => {
      const account = await lockAccount(tx, challenge.userId, deps.clock.now());
      // The account may have been closed between the first step and this one.
      const block = account && blockOf(account);
      if (block) return block;
      const expired = await closeChallenge(tx, deps, challenge, step === 'mail' ? 'mailbox' : undefined);
      if (expired || !account) return expired ?? refuse('otp_expired');
      const refusal = await use(tx, account, challenge.proven);
      if (refusal) return refusal;
      const proven = step === 'recovery' ? replacedStep(await findFactors(tx, account.id)) : step;
      const closed = await whyNotOwnWay(tx, deps, account.id, proven, browser);
      if (closed) return closed;
      const methods: Method[] = challenge.method ? [challenge.method, 'otp'] : ['otp'];
      const remembers = input.remember ? proven : undefined;
      return completeSignIn(tx, deps, account, input, {
        ...locatedBrowser,
        methods,
        secondStep: proven,
        remembers,
      });
    });
    // Somebody else may have used up the tries in a session. The owner is here.
    if (!(done instanceof Refusal) && (step === 'app' || step === 'recovery'))
      await deps.limiter.forget(Object.values(guessesOf(step, challenge.userId)));
    return done;
  };
}
