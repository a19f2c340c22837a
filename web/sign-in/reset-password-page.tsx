import { recovery } from '#contract/sign-in/recovery.ts';
import { linkText } from '#words/link.ts';
import { publicText } from '#words/public.ts';
import { recoveryText } from '#words/recovery.ts';
import { takeDigest } from '#web/public-pages/digest.ts';
import { passwordUpdated } from '#web/lib/stored-text.ts';
import { resumeAt } from '#web/public-pages/errand.ts';
import { askedQuery, leaveFor } from '#web/lib/navigate.ts';
import type { PublicPage } from '#web/public-pages/public-page.ts';
import { NewPassword } from './new-password.tsx';
import { WideLink } from '#web/public-pages/page-form.tsx';

const text = recoveryText.reset;
const digest = takeDigest();
const isFirst = new URLSearchParams(askedQuery()).has('first');

const heads = {
  form: { heading: text.title, lead: text.lead },
  missing: { heading: linkText.missing, lead: text.missingLead },
  used: { heading: linkText.used, lead: text.usedLead },
  expired: { heading: linkText.expired, lead: text.expiredLead },
};
const waysOn = (
  <>
    <WideLink href={resumeAt('/forgotpassword')}>{text.newLink}</WideLink>
    <p>
      <a href={resumeAt('/login')}>{publicText.toLogin}</a>
    </p>
  </>
);

const toLogin = () => {
  passwordUpdated.keep(text.done);
  return leaveFor(resumeAt('/login'), { replace: true });
};

/** A new password after a mailed link. All sessions have ended, so the person signs in again. */
const ResetPasswordPage = () => (
  <NewPassword
    digest={digest}
    call={recovery.resetPassword}
    isFirst={isFirst}
    heads={heads}
    submit={text.submit}
    waysOn={waysOn}
    onDone={toLogin}
  />
);

export const page: PublicPage = { title: text.title, View: ResetPasswordPage };
