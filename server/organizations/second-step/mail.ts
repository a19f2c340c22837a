import { profileSections } from '#contract/profile/sections.ts';
import { dayIn } from '#contract/dates.ts';
import type { SecondStepRule } from '#contract/organizations/second-step-rule.ts';
import { secondStepMailText } from '#words/second-step-mail.ts';
import { mailOf } from '#server/mail/frame.ts';

type NewRule = {
  readonly organization: string;
  readonly rule: SecondStepRule;
  readonly from: Date;
  readonly timeZone: string | null;
};
export const secondStepAskedMail = ({ origin }: URL, { organization, rule, from, timeZone }: NewRule) =>
  mailOf(
    rule === 'strong' ? secondStepMailText.strongStepAsked : secondStepMailText.secondStepAsked,
    () => ({ organization, day: dayIn(timeZone ?? 'UTC')(from) }),
    `${origin}/account/myprofile#${profileSections.waysIn}`,
  );
