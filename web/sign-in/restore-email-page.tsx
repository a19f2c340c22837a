import { EMAIL_UNDO_DAYS } from '#contract/limits.ts';
import { recovery } from '#contract/recovery.ts';
import { restoreEmailText as text } from '#contract/text/restore-email.ts';
import { fill } from '#contract/text.ts';
import { takeDigest } from '#web/lib/digest.ts';
import type { PublicPage } from '#web/lib/public-page.ts';
import { LockOut } from '#web/sign-in/lock-out.tsx';

const digest = takeDigest();

const heads = {
  ask: { heading: text.title, lead: text.lead },
  missing: { heading: text.missingHeading, lead: text.missingLead },
  used: { heading: text.usedHeading, lead: text.usedLead },
  expired: { heading: text.expiredHeading, lead: fill(text.expiredLead, { days: EMAIL_UNDO_DAYS }) },
  taken: { heading: text.takenHeading, lead: text.takenLead },
};

const RestoreEmailPage = () => (
  <LockOut digest={digest} call={recovery.restoreEmail} heads={heads} words={text} />
);

export const page: PublicPage = { title: text.title, View: RestoreEmailPage };
