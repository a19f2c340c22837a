import { type ComponentProps, type ComponentType, useEffect, useState } from 'react';
import type { Output } from '#contract/endpoint.ts';
import type { signIn } from '#contract/sign-in.ts';
import { signInText } from '#contract/text/sign-in.ts';
import { uiText } from '#contract/text/ui.ts';
import { passwordUpdated } from '#web/lib/kept.ts';
import { asideTo, leaveFor, onwardTo, ownPath } from '#web/lib/navigate.ts';
import type { PublicPage } from '#web/lib/public-page.ts';
import { useEntranceCheck } from '#web/lib/session-check.ts';
import type { CodeForm } from '#web/sign-in/code-form.tsx';
import { CredentialsForm } from '#web/sign-in/credentials-form.tsx';
import { showAlert } from '#web/ui/alert-store.ts';

const text = signInText.login;

type CodeStep = { Form: ComponentType<ComponentProps<typeof CodeForm>>; contact: string };

function LoginPage() {
  useEntranceCheck();
  useEffect(sayPasswordUpdated, []);
  const [codeStep, setCodeStep] = useState<CodeStep>();
  const [back, setBack] = useState<{ why: string | undefined }>();

  const goOn = async ({ mfaEnabled, contact = '', next }: Output<typeof signIn.signIn>) => {
    if (!mfaEnabled) return leaveFor(ownPath(next) ?? onwardTo('/'));
    // Only those who switched the second step on load it.
    const loaded = await import('#web/sign-in/code-form.tsx').catch(() => undefined);
    if (loaded) setCodeStep({ Form: loaded.CodeForm, contact });
    else showAlert({ kind: 'danger', text: uiText.wentWrong });
  };
  const goBack = (why?: string) => {
    setCodeStep(undefined);
    setBack({ why });
  };

  if (codeStep) return <codeStep.Form contact={codeStep.contact} onBack={goBack} onDone={goOn} />;
  return (
    <>
      <header>
        <h1>{text.heading}</h1>
        <p>{text.lead}</p>
      </header>
      <CredentialsForm back={back} onDone={goOn} />
      <p>
        {text.newHere} <a href={asideTo('/signup')}>{text.signUp}</a>
      </p>
    </>
  );
}

/** After a reset, on the way back in. */
function sayPasswordUpdated() {
  const said = passwordUpdated.read();
  if (said === null) return;
  passwordUpdated.forget();
  showAlert({ kind: 'success', text: said });
}

export const page: PublicPage = { title: text.title, View: LoginPage };
