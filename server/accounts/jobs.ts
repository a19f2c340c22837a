import { answerClaim, type Claim, finishSignUp, resendTo, type SignUp } from '#server/accounts/actions.ts';
import type { JobHandlers } from '#server/jobs/jobs.ts';

export const accountJobs: JobHandlers = {
  'resend-verification': async (deps, { email, by }: { readonly email: string; readonly by: string }) => {
    await resendTo(deps, email, by);
  },
  'sign-up': (deps, signUp: SignUp) => finishSignUp(deps, signUp),
  'address-claim': (deps, claim: Claim) => answerClaim(deps, claim),
};
