import { answerClaim, type Claim, finishSignUp, resendTo, type SignUp } from '#server/accounts/actions.ts';
import type { JobHandlers } from '#server/jobs/jobs.ts';

type MailRequest = { readonly email: string; readonly by: string };

export const accountJobs: JobHandlers = {
  'resend-verification': async (deps, { email, by }: MailRequest) => {
    await resendTo(deps, email, by);
  },
  'sign-up': (deps, signUp: SignUp) => finishSignUp(deps, signUp),
  'address-claim': (deps, claim: Claim) => answerClaim(deps, claim),
};
