import type { Deps } from '#server/deps.ts';
import { companyJobs } from '#server/company-sign-in/jobs.ts';
import { companyRuleJobs } from '#server/company-sign-in/rule/jobs.ts';
import { domainJobs } from '#server/company-sign-in/domains/jobs.ts';
import { deletionJobs } from '#server/accounts/deletion/jobs.ts';
import { chainJobs } from '#server/activity/chain/jobs.ts';
import { accountJobs } from '#server/accounts/jobs.ts';
import { dataExportJobs } from '#server/data-export/jobs.ts';
import { driveJobs } from '#server/drive/jobs.ts';
import { signOutJobs } from '#server/applications/jobs.ts';
import type { JobHandlers } from '#server/jobs/jobs.ts';
import { mailJobs } from '#server/mail/outbox.ts';
import { openTransport, type Transport } from '#server/mail/transports.ts';
import { deskJobs } from '#server/operator/desk/jobs.ts';
import { memberJobs } from '#server/members/jobs.ts';
import { superAdminJobs } from '#server/members/super-admin-news/jobs.ts';
import { joiningJobs } from '#server/members/joining/jobs.ts';
import { secondStepJobs } from '#server/organizations/second-step/jobs.ts';
import { contactJobs } from '#server/profile/contact/jobs.ts';
import { roleJobs } from '#server/roles/jobs.ts';
import { recoveryJobs } from '#server/sign-in/recovery/jobs.ts';
import { deliveryJobs } from '#server/webhooks/deliveries/jobs.ts';

export const jobHandlers = (deps: Deps, transport: Transport = openTransport(deps.config)): JobHandlers => ({
  ...mailJobs(transport),
  ...accountJobs,
  ...recoveryJobs,
  ...memberJobs,
  ...superAdminJobs,
  ...joiningJobs,
  ...roleJobs,
  ...driveJobs,
  ...contactJobs,
  ...dataExportJobs,
  ...deletionJobs,
  ...secondStepJobs,
  ...companyJobs,
  ...domainJobs,
  ...companyRuleJobs,
  ...chainJobs,
  ...signOutJobs,
  ...deliveryJobs,
  ...deskJobs,
});
