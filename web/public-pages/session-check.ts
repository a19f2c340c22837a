import { useEffect, useEffectEvent } from 'react';
import type { Output } from '#contract/endpoint.ts';
import { uiText } from '#contract/text/ui.ts';
import { signIn } from '#contract/sign-in.ts';
import { call } from '#web/lib/call.ts';
import { goOn } from '#web/public-pages/go-on.ts';
import { asideTo, askedPath, goTo } from '#web/lib/navigate.ts';
import { noteStatusFailure, statusFailedLately } from '#web/public-pages/status-failure.ts';
import { showAlert } from '#web/lib/alert-store.ts';

type Person = NonNullable<Output<typeof signIn.status>>;
type Answers = { signedIn?: (person: Person) => void; signedOut?: () => void; failed?: () => void };

/** Asks once, when a page opens, whether somebody is signed in. The page shows meanwhile. */
export function useSessionCheck(answers: Answers) {
  const answer = useEffectEvent((person: Person | null | undefined) => {
    if (person) answers.signedIn?.(person);
    else if (person === null) answers.signedOut?.();
    else answers.failed?.();
  });
  useEffect(() => {
    let hasLeft = false;
    void call(signIn.status, {})
      .catch(() => undefined)
      .then((person) => hasLeft || answer(person));
    return () => {
      hasLeft = true;
    };
  }, []);
}

/**
 * The check of login and sign-up: a signed-in person goes on. A failed check leads to sign-up, but not in a
 * loop.
 */
export function useEntranceCheck() {
  const isSignUp = () => location.pathname === '/signup';
  const say = () => {
    showAlert({ kind: 'danger', text: uiText.wentWrong });
  };
  useSessionCheck({
    signedIn: () => void goOn(askedPath()),
    // An earlier failure led here, so the person is told.
    signedOut: () => isSignUp() && statusFailedLately() && say(),
    failed: () => {
      if (isSignUp()) return say();
      noteStatusFailure();
      goTo(asideTo('/signup'), { replace: true });
    },
  });
}
