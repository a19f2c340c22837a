import { type ComponentProps, type ComponentType, useEffect, useEffectEvent, useState } from 'react';
import type { Output } from '#contract/endpoint.ts';
import { ownPageAt } from '#contract/own-page.ts';
import { type SecondStep as Way, signIn } from '#contract/sign-in/calls.ts';
import { signInText } from '#words/sign-in.ts';
import { uiText } from '#words/ui.ts';
import { call } from '#web/lib/call.ts';
import { goOn } from '#web/public-pages/go-on.ts';
import { passwordSignIn, passwordUpdated } from '#web/lib/stored-text.ts';
import { askedQuery, asideTo, useAside } from '#web/lib/navigate.ts';
import { PageHead } from '#web/public-pages/page-head.tsx';
import type { PublicPage } from '#web/public-pages/public-page.ts';
import { useEntranceCheck } from '#web/public-pages/session-check.ts';
import { askedContact, askedWays } from './asked-contact.ts';
import type { SecondStep } from './second-step.tsx';
import { CredentialsForm } from './credentials-form.tsx';
import { showAlert } from '#web/lib/alert-store.ts';

const text = signInText.login;

type CodeStep = StepRequest & { Form?: ComponentType<ComponentProps<typeof SecondStep>> };
type StepRequest = { contact: string; ways: readonly Way[] };

const loadForm = async () => (await import('./second-step.tsx')).SecondStep;

let failedBefore = false;

function LoginPage() {
  useEntranceCheck();
  useEffect(sayPasswordUpdated, []);
  const [codeStep, setCodeStep] = useState(requestedStep);
  const signUp = useAside('/signup');
  const [back, setBack] = useState<{ why: string | undefined }>();

  // Loaded on demand, because most accounts have no second step. `lateCode` would add 600 bytes to every public page.
  const openCode = ({ contact, ways }: StepRequest) =>
    loadForm().then(
      (Form) => setCodeStep({ contact, ways, Form }),
      () => {
        // Older browsers keep a failed import. Sign-in has just answered, so a reload helps.
        if (failedBefore) location.reload();
        failedBefore = true;
        setCodeStep(undefined);
        showAlert({ kind: 'danger', text: uiText.wentWrong });
      },
    );
  const arrive = useEffectEvent(() => void (codeStep && openCode(codeStep)));
  useEffect(() => arrive(), []);

  const finish = async ({
    mfaEnabled,
    contact = '',
    ways = ['mail'],
    next,
  }: Output<typeof signIn.signIn>) => {
    // The next step would only lead back here.
    const keepsCookies =
      navigator.cookieEnabled &&
      (mfaEnabled || (await call(signIn.status, {}).catch(() => undefined)) !== null);
    if (!keepsCookies) return setBack({ why: text.noCookies });
    return mfaEnabled ? openCode({ contact, ways }) : goOn(ownPageAt(next));
  };
  const goBack = (why?: string) => {
    // A reload must not show the code form again.
    history.replaceState(null, '', asideTo('/login'));
    passwordSignIn.forget();
    setCodeStep(undefined);
    setBack({ why });
  };

  if (codeStep)
    return (
      codeStep.Form && (
        <codeStep.Form contact={codeStep.contact} ways={codeStep.ways} onBack={goBack} onDone={finish} />
      )
    );
  return (
    <>
      <PageHead heading={text.heading} lead={text.lead} />
      <CredentialsForm back={back} onDone={finish} />
      <p>
        {text.newHere} <a href={signUp}>{text.signUp}</a>
      </p>
    </>
  );
}

/** Another sign-in, such as Facebook, leads here for the code it mailed. */
function requestedStep(): CodeStep | undefined {
  const contact = askedContact(askedQuery());
  const ways = askedWays(askedQuery());
  return contact === undefined && ways.length === 0
    ? undefined
    : { contact: contact ?? '', ways: ways.length > 0 ? ways : ['mail'] };
}

function sayPasswordUpdated() {
  const message = passwordUpdated.read();
  if (message === null) return;
  passwordUpdated.forget();
  showAlert({ kind: 'success', text: message });
}

export const page: PublicPage = { title: text.title, View: LoginPage };
