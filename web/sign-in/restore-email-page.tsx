import { emailRestore } from '#contract/profile/restore.ts';
import { restoreEmailText as text } from '#words/restore-email.ts';
import { takeDigest } from '#web/public-pages/digest.ts';
import type { PublicPage } from '#web/public-pages/public-page.ts';
import { LockOut } from './lock-out.tsx';

const digest = takeDigest();

const takenWords = { heading: text.takenHeading, lead: text.takenLead };

const RestoreEmailPage = () => (
  <LockOut digest={digest} call={emailRestore.restoreEmail} words={text} taken={takenWords} />
);

export const page: PublicPage = { title: text.title, View: RestoreEmailPage };
