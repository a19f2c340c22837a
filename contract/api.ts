import { accountDeletion } from '#contract/accounts/deletion.ts';
import { accounts } from '#contract/accounts/calls.ts';
import { activity } from '#contract/activity/calls.ts';
import { authorization } from '#contract/applications/authorization.ts';
import { connectedApplications } from '#contract/applications/connected.ts';
import { applicationIcons } from '#contract/applications/icons.ts';
import { ownApplications } from '#contract/applications/own.ts';
import { applicationSignOut } from '#contract/applications/sign-outs.ts';
import { communications } from '#contract/communications/calls.ts';
import { confirmation } from '#contract/accounts/confirmation.ts';
import { accountRestore } from '#contract/accounts/restore.ts';
import type { Endpoint } from './endpoint.ts';
import { members } from '#contract/members/calls.ts';
import { dataExport } from '#contract/data-export/calls.ts';
import { drive } from '#contract/drive/calls.ts';
import { onward } from '#contract/sign-in/onward.ts';
import { secondStepRules } from '#contract/organizations/second-step.ts';
import { organizations, organizationSettings } from '#contract/organizations/calls.ts';
import { profile } from '#contract/profile/calls.ts';
import { emailRestore } from '#contract/profile/restore.ts';
import { authenticator } from '#contract/sign-in/authenticator.ts';
import { otherSteps } from '#contract/sign-in/other-steps.ts';
import { passkeySignIn } from '#contract/sign-in/passkey-sign-in.ts';
import { passkeys } from '#contract/sign-in/passkeys.ts';
import { recoveryCodes } from '#contract/sign-in/recovery-codes.ts';
import { rememberedBrowsers } from '#contract/sign-in/remembered-browsers.ts';
import { waysIn } from '#contract/sign-in/ways-in.ts';
import { recovery } from '#contract/sign-in/recovery.ts';
import { redeeming } from '#contract/sign-in/redeem.ts';
import { roles } from '#contract/roles/calls.ts';
import { secondStep } from '#contract/sign-in/second-step.ts';
import { sessions } from '#contract/sessions/calls.ts';
import { signIn } from '#contract/sign-in/calls.ts';
import { signingOut } from '#contract/sign-in/sign-out.ts';
import { social } from '#contract/social/calls.ts';
import { stepUp } from '#contract/sign-in/step-up.ts';
import { terms } from '#contract/accounts/terms.ts';
import { webhookDeliveries } from '#contract/webhooks/deliveries.ts';
import { companyDomains } from '#contract/company-sign-in/domains.ts';
import { joinRequests } from '#contract/company-sign-in/joining.ts';
import { companyDirectory } from '#contract/company-sign-in/directory.ts';
import { companyConnections } from '#contract/company-sign-in/connections.ts';
import { companyRules } from '#contract/company-sign-in/rule.ts';
import { companyVisits } from '#contract/company-sign-in/visits.ts';
import { webhooks } from '#contract/webhooks/calls.ts';

export const api = {
  accounts: { ...accounts, ...confirmation, ...terms },
  signIn: { ...signIn, ...secondStep, ...otherSteps, ...signingOut },
  waysIn,
  passkeys: { ...passkeys, ...passkeySignIn },
  authenticator,
  recoveryCodes,
  rememberedBrowsers,
  stepUp,
  recovery,
  onward: { ...onward, ...redeeming },
  social,
  sessions,
  members,
  organizations,
  organizationSettings: { ...organizationSettings, ...secondStepRules },
  roles,
  profile: { ...profile, ...emailRestore },
  communications,
  drive: { ...drive, ...applicationIcons },
  accountDeletion: { ...accountDeletion, ...accountRestore },
  activity,
  applications: { ...authorization, ...applicationSignOut, ...connectedApplications, ...ownApplications },
  webhooks: { ...webhooks, ...webhookDeliveries },
  companyDomains,
  companyDirectory,
  companyConnections,
  companyVisits,
  companyRules,
  joinRequests,
  dataExport,
} satisfies Record<string, Record<string, Endpoint>>;
export type Api = typeof api;
