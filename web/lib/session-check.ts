import { useEffect, useEffectEvent } from 'react';
import type { Output } from '#contract/endpoint.ts';
import { uiText } from '#contract/text/ui.ts';
import { signIn } from '#contract/sign-in.ts';
import { call } from '#web/lib/call.ts';
import { goOn } from '#web/lib/go-on.ts';
import { asideTo, askedPath, goTo } from '#web/lib/navigate.ts';
import { noteStatusFailure, statusFailedLately } from '#web/lib/status-failure.ts';
import { showAlert } from '#web/ui/alert-store.ts';

type Person = NonNullable<Output<typeof signIn.status>>;
type Answers = { signedIn?: (person: Person) => void; signedOut?: () => void; failed?: () => void };

/** Asks once, as a page opens, whether somebody is signed in; the page is shown meanwhile. */
export function useSessionCheck(answers: Answers) {
  const answer = useEffectEvent((person: Person | null | undefined) => {
    if (person) answers.signedIn?.(person);
    else if (person === null) answers.signedOut?.();
    else answers.failed?.();
  });
  useEffect(() => {
    let left = false;
    void call(signIn.status, {})
      .catch(() => undefined)
      .then((person) => left || answer(person));
    return () => {
      left = true;
    };
  }, []);
}

/** The check of login and sign-up: who is signed in goes on, and a failed check leads to sign-up, never in a circle. */
export function useEntranceCheck() {
  const isSignUp = () => location.pathname === '/signup';
  const say = () => {
    showAlert({ kind: 'danger', text: uiText.wentWrong });
  };
  useSessionCheck({
    signedIn: () => void goOn(askedPath()),
    // Led here by a failure elsewhere, the person is told why.
    signedOut: () => isSignUp() && statusFailedLately() && say(),
    failed: () => {
      if (isSignUp()) return say();
      noteStatusFailure();
      goTo(asideTo('/signup'), { replace: true });
    },
  });
}
