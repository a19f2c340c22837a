import { useEffect, useEffectEvent } from 'react';
import type { Output } from '#contract/endpoint.ts';
import { uiText } from '#words/ui.ts';
import { signIn } from '#contract/sign-in/calls.ts';
import { call } from '#web/lib/call.ts';
import { goOn } from './go-on.ts';
import { asideTo, askedPath, askedQuery, goTo } from '#web/lib/navigate.ts';
import { noteStatusFailure, statusFailedLately } from './status-failure.ts';
import { showAlert } from '#web/lib/alert-store.ts';

type Person = NonNullable<Output<typeof signIn.status>>;
type Answers = { signedIn?: (person: Person) => void; signedOut?: () => void; failed?: () => void };

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

/** Asks again when the tab comes to the front or another window opens the area: the person may have signed in there. */
function useSessionInFront(signedIn: () => void) {
  const ask = useEffectEvent(async () => {
    if (document.visibilityState !== 'visible') return;
    // A failed check changes nothing, because the page works.
    if (await call(signIn.status, {}).catch(() => undefined)) signedIn();
  });
  useEffect(() => {
    const stop = new AbortController();
    for (const event of ['visibilitychange', 'storage'])
      addEventListener(event, () => void ask(), { signal: stop.signal });
    return () => stop.abort();
  }, []);
}

/** In the query of the login page: a signed-in person signs in again and does not go on before. */
export const SIGN_IN_AGAIN = 'again';

/** A signed-in person goes on. A failed check leads to sign-up, but not in a loop. */
export function useEntranceCheck() {
  const isSignUp = () => location.pathname === '/signup';
  const say = () => {
    showAlert({ kind: 'danger', text: uiText.wentWrong });
  };
  const enter = () => {
    if (!new URLSearchParams(askedQuery()).has(SIGN_IN_AGAIN)) void goOn(askedPath());
  };
  useSessionInFront(enter);
  useSessionCheck({
    signedIn: enter,
    // An earlier failure led here, so the person is told.
    signedOut: () => isSignUp() && statusFailedLately() && say(),
    failed: () => {
      if (isSignUp()) return say();
      noteStatusFailure();
      goTo(asideTo('/signup'), { replace: true });
    },
  });
}
