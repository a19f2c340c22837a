import { useState } from 'react';
import { confirmationText } from '#contract/text/confirmation.ts';
import { ResendForm } from '#web/accounts/resend-form.tsx';
import { ResendButton } from '#web/accounts/resend-button.tsx';
import { useAside } from '#web/lib/navigate.ts';
import { PageHead } from '#web/lib/page-head.tsx';
import { pendingEmail } from '#web/lib/kept.ts';
import type { PublicPage } from '#web/lib/public-page.ts';
import { SentPanel } from '#web/lib/sent-panel.tsx';

const text = confirmationText.verifyAccount;
const heads = {
  ask: { heading: text.enterHeading, lead: text.enterLead },
  sent: { heading: text.title, lead: text.lead },
};

function VerifyAccountPage() {
  const [email, setEmail] = useState(() => pendingEmail.read() ?? undefined);
  return (
    <>
      <PageHead {...(email === undefined ? heads.ask : heads.sent)} />
      {email === undefined ? (
        <ResendForm onSent={setEmail} />
      ) : (
        <SentPanel
          email={email}
          resend={<ResendButton email={email} />}
          noMail={text.noMail}
          onOther={() => setEmail(undefined)}
        />
      )}
      <p>
        <a href={useAside('/login')}>{text.signIn}</a> ·{' '}
        <a href={useAside('/forgotpassword')}>{text.forgot}</a>
      </p>
    </>
  );
}

export const page: PublicPage = { title: text.title, View: VerifyAccountPage };
