import { accountDeletion } from '#contract/account-deletion.ts';
import { accounts } from '#contract/accounts.ts';
import { activity } from '#contract/activity.ts';
import { communications } from '#contract/communications.ts';
import { confirmation } from '#contract/confirmation.ts';
import { deletion } from '#contract/deletion.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { members } from '#contract/members.ts';
import { drive } from '#contract/drive.ts';
import { onward } from '#contract/onward.ts';
import { organizations, organizationSettings } from '#contract/organizations.ts';
import { profile } from '#contract/profile.ts';
import { recovery } from '#contract/recovery.ts';
import { redeeming } from '#contract/redeem.ts';
import { roles } from '#contract/roles.ts';
import { secondStep } from '#contract/second-step.ts';
import { sessions } from '#contract/sessions.ts';
import { signIn } from '#contract/sign-in.ts';
import { signingOut } from '#contract/sign-out.ts';
import { social } from '#contract/social.ts';
import { stepUp } from '#contract/step-up.ts';

/** Every call there is, by feature. */
export const api = {
  accounts: { ...accounts, ...confirmation },
  signIn: { ...signIn, ...secondStep, ...signingOut },
  stepUp,
  recovery,
  onward: { ...onward, ...redeeming },
  social,
  sessions,
  members,
  organizations,
  organizationSettings,
  roles,
  profile,
  communications,
  drive,
  deletion,
  accountDeletion,
  activity,
} satisfies Record<string, Record<string, Endpoint>>;
export type Api = typeof api;
