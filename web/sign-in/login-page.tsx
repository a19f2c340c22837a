import { type ComponentProps, type ComponentType, useEffect, useEffectEvent, useState } from 'react';
import type { Output } from '#contract/endpoint.ts';
import type { signIn } from '#contract/sign-in.ts';
import { signInText } from '#contract/text/sign-in.ts';
import { uiText } from '#contract/text/ui.ts';
import { goOn } from '#web/lib/go-on.ts';
import { passwordUpdated } from '#web/lib/kept.ts';
import { askedQuery, asideTo, ownPath, useAside } from '#web/lib/navigate.ts';
import type { PublicPage } from '#web/lib/public-page.ts';
import { useEntranceCheck } from '#web/lib/session-check.ts';
import { askedContact } from '#web/sign-in/asked-contact.ts';
import type { CodeForm } from '#web/sign-in/code-form.tsx';
import { CredentialsForm } from '#web/sign-in/credentials-form.tsx';
import { showAlert } from '#web/ui/alert-store.ts';

const text = signInText.login;

/** The second step: to whom its code went, and its form as soon as that is loaded. */
type CodeStep = { contact: string; Form?: ComponentType<ComponentProps<typeof CodeForm>> };

let failedBefore = false;

function LoginPage() {
  useEntranceCheck();
  useEffect(sayPasswordUpdated, []);
  const [codeStep, setCodeStep] = useState(askedStep);
  const signUp = useAside('/signup');
  const [back, setBack] = useState<{ why: string | undefined }>();

  // Only those who switched the second step on load it.
  const openCode = (contact: string) =>
    import('#web/sign-in/code-form.tsx').then(
      ({ CodeForm }) => setCodeStep({ contact, Form: CodeForm }),
      () => {
        // A while ago browsers held on to a failed import; sign-in has just answered, so a full load mends it.
        if (failedBefore) location.reload();
        failedBefore = true;
        setCodeStep(undefined);
        showAlert({ kind: 'danger', text: uiText.wentWrong });
      },
    );
  const arrive = useEffectEvent(() => void (codeStep && openCode(codeStep.contact)));
  useEffect(() => arrive(), []);

  const answered = ({ mfaEnabled, contact = '', next }: Output<typeof signIn.signIn>) =>
    mfaEnabled ? openCode(contact) : goOn(ownPath(next));
  const goBack = (why?: string) => {
    // The next load is not to ask for the code again.
    history.replaceState(null, '', asideTo('/login'));
    setCodeStep(undefined);
    setBack({ why });
  };

  if (codeStep)
    return codeStep.Form && <codeStep.Form contact={codeStep.contact} onBack={goBack} onDone={answered} />;
  return (
    <>
      <header>
        <h1>{text.heading}</h1>
        <p>{text.lead}</p>
      </header>
      <CredentialsForm back={back} onDone={answered} />
      <p>
        {text.newHere} <a href={signUp}>{text.signUp}</a>
      </p>
    </>
  );
}

/** Another way in, such as Facebook, leads here for the code it had mailed. */
function askedStep(): CodeStep | undefined {
  const contact = askedContact(askedQuery());
  return contact === undefined ? undefined : { contact };
}

/** After a reset, on the way back in. */
function sayPasswordUpdated() {
  const said = passwordUpdated.read();
  if (said === null) return;
  passwordUpdated.forget();
  showAlert({ kind: 'success', text: said });
}

export const page: PublicPage = { title: text.title, View: LoginPage };
