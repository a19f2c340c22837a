import { NOT_ME_DAYS } from '#contract/limits.ts';
import { recovery } from '#contract/recovery.ts';
import { recoveryText } from '#contract/text/recovery.ts';
import { fill } from '#contract/text.ts';
import { takeDigest } from '#web/lib/digest.ts';
import type { PublicPage } from '#web/lib/public-page.ts';
import { LockOut } from '#web/sign-in/lock-out.tsx';

const text = recoveryText.notMe;
const digest = takeDigest();

const heads = {
  ask: { heading: text.title, lead: text.lead },
  missing: { heading: text.missingHeading, lead: text.missingLead },
  used: { heading: text.usedHeading, lead: text.usedLead },
  expired: { heading: text.expiredHeading, lead: fill(text.expiredLead, { days: NOT_ME_DAYS }) },
};

const NotMePage = () => <LockOut digest={digest} call={recovery.notMe} heads={heads} words={text} />;

export const page: PublicPage = { title: text.title, View: NotMePage };
