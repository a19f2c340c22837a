import { useEffect, useState } from 'react';
import { CONFIRMATION_HOURS } from '#contract/limits.ts';
import { confirmationText } from '#words/confirmation.ts';
import { publicText } from '#words/public.ts';
import { LinkAgain } from './link-again.tsx';
import { verificationLink } from './verification-link.ts';
import { keepErrand } from '#web/public-pages/errand.ts';
import { useAside } from '#web/lib/navigate.ts';
import { PageHead } from '#web/public-pages/page-head.tsx';
import { pendingEmail } from '#web/lib/stored-text.ts';
import type { PublicPage } from '#web/public-pages/public-page.ts';

const text = confirmationText.verifyAccount;
const heads = {
  ask: { heading: text.enterHeading, lead: text.enterLead },
  sent: { heading: text.title, lead: text.lead },
};

function VerifyAccountPage() {
  const [email, setEmail] = useState(() => pendingEmail.read() ?? undefined);
  useEffect(() => keepErrand(CONFIRMATION_HOURS * 60), []);
  return (
    <>
      <PageHead {...(email === undefined ? heads.ask : heads.sent)} />
      <LinkAgain link={verificationLink} email={email} onEmail={setEmail} />
      <p>
        <a href={useAside('/login')}>{publicText.toLogin}</a> ·{' '}
        <a href={useAside('/forgotpassword')}>{text.forgot}</a>
      </p>
    </>
  );
}

export const page: PublicPage = { title: text.title, View: VerifyAccountPage };
