import { useEffect, useState } from 'react';
import { applicationSignOut } from '#contract/applications/sign-outs.ts';
import type { Output } from '#contract/endpoint.ts';
import { signingOut } from '#contract/sign-in/sign-out.ts';
import { applicationSignOutText as text } from '#words/application-sign-out.ts';
import { publicText } from '#words/public.ts';
import { uiText } from '#words/ui.ts';
import { call, CallError } from '#web/lib/call.ts';
import { askedQuery, leaveFor } from '#web/lib/navigate.ts';
import { tellSignedOut } from '#web/lib/stored-text.ts';
import { useCall } from '#web/lib/use-call.ts';
import { whileBusy } from '#web/lib/while-busy.ts';
import { PageHead } from '#web/public-pages/page-head.tsx';
import type { PublicPage } from '#web/public-pages/public-page.ts';
import { Button } from '#web/ui/button.tsx';

/** `unasked`: the address has no request, or one that has ended. */
type State =
  | 'opening'
  | 'unanswered'
  | 'unasked'
  | 'signed-out'
  | Output<typeof applicationSignOut.showSignOut>;

const askedRequest = () => new URLSearchParams(askedQuery()).get('request') || 'none';

async function findState(): Promise<State> {
  try {
    return await call(applicationSignOut.showSignOut, { request: askedRequest() });
  } catch (failure) {
    const code = failure instanceof CallError ? failure.code : '';
    if (code === 'not_signed_in') return 'signed-out';
    return code === 'authorization_expired' || code === 'invalid_input' ? 'unasked' : 'unanswered';
  }
}

function SignOutPage() {
  const [state, setState] = useState<State>('opening');
  const [isLeaving, setLeaving] = useState(false);
  useEffect(() => void findState().then(setState), []);
  const claims = {
    authorization_expired: () => setState('unasked'),
    not_signed_in: () => setState('signed-out'),
  };
  const forApplication = useCall(applicationSignOut.confirmSignOut, claims);
  const unasked = useCall(signingOut.signOut, claims);
  const leave = async () => {
    if (state === 'unasked') {
      if (!(await unasked.run({}))) return;
      tellSignedOut();
      setState('signed-out');
      return;
    }
    const onward = await forApplication.run({ request: askedRequest() });
    if (!onward) return;
    tellSignedOut();
    await whileBusy(setLeaving, () => leaveFor(onward.url, { replace: true }));
  };
  if (state === 'opening') return <PageHead heading={text.opening} lead="" />;
  if (state === 'unanswered')
    return (
      <>
        <PageHead heading={publicText.failedTitle} lead={uiText.notLoadedHint} />
        <Button kind="primary" wide onClick={() => location.reload()}>
          {uiText.tryAgain}
        </Button>
      </>
    );
  if (state === 'signed-out')
    return (
      <>
        <PageHead heading={text.signedOut} lead={text.signedOutLead} />
        <Button wide href="/login">
          {text.signIn}
        </Button>
      </>
    );
  const lead =
    state === 'unasked'
      ? text.unaskedLead
      : text.lead({ application: state.application ?? text.someApplication });
  return (
    <>
      <PageHead heading={text.ask} lead={lead} />
      <Button
        kind="primary"
        wide
        busy={forApplication.busy || unasked.busy || isLeaving}
        onClick={() => void leave()}
      >
        {text.signOut}
      </Button>
      <Button wide href={state === 'unasked' ? '/' : state.url}>
        {text.stay}
      </Button>
    </>
  );
}

export const page: PublicPage = { title: text.title, View: SignOutPage };
