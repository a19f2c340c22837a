import { Refusal } from '#contract/errors.ts';
import type { otherSteps } from '#contract/sign-in/other-steps.ts';
import type { secondStep } from '#contract/sign-in/second-step.ts';
import type { Deps } from '#server/deps.ts';
import { settleSignIn } from '#server/http/cookies.ts';
import { browserOf, type Handlers } from '#server/http/serve.ts';
import { renewCode, verifyAppCode, verifyCode, verifyRecoveryCode } from './actions.ts';

const finishSignIn =
  <I>(deps: Deps, verify: Verify<I>) =>
  async (call: Parameters<typeof browserOf>[0] & { readonly input: I }) => {
    const { cookies, input } = call;
    const result = await verify(deps, input, cookies.challenge.value, browserOf(call));
    deps.metrics.countSignIn(result);
    return result instanceof Refusal ? result : settleSignIn(cookies, result);
  };
type Verify<I> = (
  deps: Deps,
  input: I,
  cookie: string | undefined,
  browser: ReturnType<typeof browserOf>,
) => ReturnType<typeof verifyCode>;

export const secondStepRoutes = (deps: Deps): Handlers<typeof secondStep & typeof otherSteps> => ({
  resendCode: ({ cookies }) => renewCode(deps, cookies.challenge.value),
  verifyCode: finishSignIn(deps, verifyCode),
  verifyAppCode: finishSignIn(deps, verifyAppCode),
  verifyRecoveryCode: finishSignIn(deps, verifyRecoveryCode),
});
