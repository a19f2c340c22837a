import type { UserId } from '#contract/wire.ts';
import { answerClaim, type Claim, finishSignUp, resendTo, type SignUp } from '#server/accounts/actions.ts';
import type { Deps } from './deps.ts';
import { companyJobs } from '#server/company-sign-in/jobs.ts';
import { directoryJobs } from '#server/company-sign-in/scim/roles.ts';
import { endQuietTime, type News } from '#server/members/actions.ts';
import { answerTakenAddress } from '#server/members/joining/actions.ts';
import { endQuietOfSuperAdmins, type QuietOfSuperAdmins } from '#server/members/super-admin-news/actions.ts';
import { runDue } from '#server/operator/desk/actions.ts';
import { mailNewAddress } from '#server/profile/contact/actions.ts';
import { endQuietOfOwner } from '#server/sign-in/factors/actions.ts';
import { mailReset } from '#server/sign-in/recovery/actions.ts';
import { companyRuleJobs } from '#server/company-sign-in/rule/jobs.ts';
import { domainJobs } from '#server/company-sign-in/domains/jobs.ts';
import { deletionJobs } from '#server/accounts/deletion/jobs.ts';
import { chainJobs } from '#server/activity/chain/jobs.ts';
import { dataExportJobs } from '#server/data-export/jobs.ts';
import { driveJobs } from '#server/drive/jobs.ts';
import { signOutJobs } from '#server/applications/jobs.ts';
import type { JobHandlers } from '#server/jobs/jobs.ts';
import { mailJobs } from '#server/mail/outbox.ts';
import { openTransport, type Transport } from '#server/mail/transports.ts';
import { secondStepJobs } from '#server/organizations/second-step/jobs.ts';
import { roleJobs } from '#server/roles/jobs.ts';
import { deliveryJobs } from '#server/webhooks/deliveries/jobs.ts';

type Asked = { readonly email: string; readonly by: string };
type Owner = { readonly userId: UserId };

export const jobHandlers = (deps: Deps, transport: Transport = openTransport(deps.config)): JobHandlers => ({
  ...mailJobs(transport),
  'resend-verification': async (deps, { email, by }: Asked) => void (await resendTo(deps, email, by)),
  'sign-up': (deps, signUp: SignUp) => finishSignUp(deps, signUp),
  'address-claim': (deps, claim: Claim) => answerClaim(deps, claim),
  'taken-address': (deps, { email, by, disclosed }: Asked & { readonly disclosed: boolean }) =>
    answerTakenAddress(deps, email, by, disclosed),
  'reset-mail': (deps, { email, by }: Asked) => mailReset(deps, email, by),
  'way-in-news': (deps, { userId }: Owner, jobId) => endQuietOfOwner(deps, userId, jobId),
  'new-address-mail': (deps, { userId }: Owner) => mailNewAddress(deps, userId),
  'member-news': (deps, news: News, jobId) => endQuietTime(deps, news, jobId),
  'super-admin-news': (deps, quiet: QuietOfSuperAdmins, jobId) => endQuietOfSuperAdmins(deps, quiet, jobId),
  'desk-request': (deps, { id }: { readonly id: number }) => runDue(deps, id),
  ...roleJobs,
  ...driveJobs,
  ...dataExportJobs,
  ...deletionJobs,
  ...secondStepJobs,
  ...companyJobs,
  ...directoryJobs,
  ...domainJobs,
  ...companyRuleJobs,
  ...chainJobs,
  ...signOutJobs,
  ...deliveryJobs,
});
