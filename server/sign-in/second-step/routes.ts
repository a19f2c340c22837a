import { Refusal } from '#contract/errors.ts';
import type { otherSteps } from '#contract/sign-in/other-steps.ts';
import type { secondStep } from '#contract/sign-in/second-step.ts';
import type { Deps } from '#server/deps.ts';
import { settleSignIn } from '#server/http/cookies.ts';
import { browserOf, type Handlers } from '#server/http/serve.ts';
import {
  renewCode,
  verifyAppCode,
  verifyCode,
  verifyRecoveryCode,
} from '#server/sign-in/second-step/actions.ts';

export const secondStepRoutes = (deps: Deps): Handlers<typeof secondStep & typeof otherSteps> => ({
  resendCode: ({ cookies }) => renewCode(deps, cookies.challenge.value),
  verifyCode: async (call) => {
    const { cookies, input } = call;
    const result = await verifyCode(deps, input, cookies.challenge.value, browserOf(call));
    return finish(cookies, deps.metrics.countSignIn(result));
  },
  verifyAppCode: async (call) => {
    const { cookies, input } = call;
    const result = await verifyAppCode(deps, input, cookies.challenge.value, browserOf(call));
    return finish(cookies, deps.metrics.countSignIn(result));
  },
  verifyRecoveryCode: async (call) => {
    const { cookies, input } = call;
    const result = await verifyRecoveryCode(deps, input, cookies.challenge.value, browserOf(call));
    return finish(cookies, deps.metrics.countSignIn(result));
  },
});

type Result = Awaited<ReturnType<typeof verifyCode>>;
const finish = (cookies: Parameters<typeof settleSignIn>[0], result: Result) =>
  result instanceof Refusal ? result : settleSignIn(cookies, result);
