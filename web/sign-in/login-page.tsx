import { signIn } from '#contract/sign-in.ts';
import { signInText } from '#contract/text/sign-in.ts';
import { CredentialsForm } from '#web/sign-in/credentials-form.tsx';
import type { Output } from '#contract/endpoint.ts';
import { asideTo, leaveFor, onwardTo, ownPath } from '#web/lib/navigate.ts';
import type { PublicPage, PublicPageProps } from '#web/lib/public-page.ts';
import { useEntranceCheck } from '#web/lib/session-check.ts';

const text = signInText.login;

function LoginPage({ hasPage }: PublicPageProps) {
  useEntranceCheck();
  const goOn = ({ next }: Output<typeof signIn.signIn>) => leaveFor(ownPath(next) ?? onwardTo('/'));
  return (
    <>
      <header>
        <h1>{text.heading}</h1>
        <p>{text.lead}</p>
      </header>
      <CredentialsForm forgotten={hasPage('/forgotpassword')} onDone={goOn} />
      <p>
        {text.newHere} <a href={asideTo('/signup')}>{text.signUp}</a>
      </p>
    </>
  );
}

export const page: PublicPage = { title: text.title, View: LoginPage };
