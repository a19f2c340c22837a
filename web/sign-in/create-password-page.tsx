import { recovery } from '#contract/recovery.ts';
import { createPasswordText as text } from '#contract/text/create-password.ts';
import { leaveFor } from '#web/lib/navigate.ts';
import type { PublicPage } from '#web/lib/public-page.ts';
import { NewPassword } from '#web/sign-in/new-password.tsx';
import { Button } from '#web/ui/button.tsx';

const heads = {
  form: { heading: text.title, lead: text.lead },
  used: { heading: text.usedHeading, lead: text.deadLead },
  expired: { heading: text.expiredHeading, lead: text.deadLead },
};
const waysOn = (
  <>
    <Button href="/login" kind="primary" wide>
      {text.signIn}
    </Button>
    <Button href="/forgotpassword" wide>
      {text.newLink}
    </Button>
    <p>{text.invited}</p>
  </>
);

/** The first password; done, the person is signed in. */
const CreatePasswordPage = () => (
  <NewPassword
    call={recovery.createPassword}
    heads={heads}
    submit={text.submit}
    waysOn={waysOn}
    onDone={() => leaveFor('/', { replace: true })}
  />
);

export const page: PublicPage = { title: text.title, View: CreatePasswordPage };
