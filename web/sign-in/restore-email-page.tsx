import { EMAIL_UNDO_DAYS } from '#contract/limits.ts';
import { recovery } from '#contract/recovery.ts';
import { restoreEmailText as text } from '#contract/text/restore-email.ts';
import { takeDigest } from '#web/lib/digest.ts';
import type { PublicPage } from '#web/lib/public-page.ts';
import { LockOut } from '#web/sign-in/lock-out.tsx';

const digest = takeDigest();

const taken = { heading: text.takenHeading, lead: text.takenLead };

const RestoreEmailPage = () => (
  <LockOut digest={digest} call={recovery.restoreEmail} words={text} days={EMAIL_UNDO_DAYS} taken={taken} />
);

export const page: PublicPage = { title: text.title, View: RestoreEmailPage };
