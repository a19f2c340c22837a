import { useEffect, useState } from 'react';
import { authorization } from '#contract/applications/authorization.ts';
import { authorizeText as text } from '#words/authorize.ts';
import { publicText } from '#words/public.ts';
import { uiText } from '#words/ui.ts';
import { actFor, call, CallError } from '#web/lib/call.ts';
import { PageHead } from '#web/public-pages/page-head.tsx';
import type { PublicPage } from '#web/public-pages/public-page.ts';
import { Button } from '#web/ui/button.tsx';
import { askedError, askedRequest, leaveToSignIn } from './asked-request.ts';
import { AuthorizeStep, type OpenRequest } from './authorize-step.tsx';
import styles from './authorize-page.module.css';

type State = 'opening' | 'unanswered' | keyof typeof endings | OpenRequest;

const endings = {
  missing: { heading: text.missing, lead: text.missingLead },
  expired: { heading: text.expired, lead: text.expiredLead },
  failed: { heading: text.failed, lead: text.failedLead },
  fault: { heading: text.fault, lead: text.ourFault },
};

const ourFaults = new Set(['server_error', 'overloaded', 'temporarily_unavailable']);

/** The state of the request in the address; undefined while the browser leaves for the sign-in. */
async function findState(): Promise<State | undefined> {
  const { code: error } = askedError();
  if (error !== null) return ourFaults.has(error) ? 'fault' : 'failed';
  const id = askedRequest();
  if (!id) return 'missing';
  actFor();
  try {
    const request = await call(authorization.show, { request: id });
    if (request.step === 'sign-in') return leaveToSignIn('/login', request);
    if (request.step === 'sign-up') return leaveToSignIn('/signup', request);
    actFor(request.person ?? '');
    const isRare = request.proof || ['organization', 'company'].includes(request.step);
    return isRare ? { ...request, rare: await import('./rare-steps.ts') } : request;
  } catch (failure) {
    const code = failure instanceof CallError ? failure.code : '';
    return code === 'authorization_expired' || code === 'invalid_input' ? 'expired' : 'unanswered';
  }
}

function useRequest() {
  const [state, setState] = useState<State>('opening');
  const look = async () => {
    const request = await findState();
    if (request) setState(request);
  };
  useEffect(() => void findState().then((request) => request && setState(request)), []);
  return { state, expire: () => setState('expired'), look: () => void look() };
}

function AuthorizePage() {
  const { state, expire, look } = useRequest();
  if (typeof state === 'object') return <AuthorizeStep request={state} onExpired={expire} onChanged={look} />;
  if (state === 'opening') return <PageHead heading={text.opening} lead={text.openingLead} />;
  if (state === 'unanswered')
    return (
      <>
        <PageHead heading={publicText.failedTitle} lead={uiText.notLoadedHint} />
        <Button kind="primary" wide onClick={() => location.reload()}>
          {uiText.tryAgain}
        </Button>
      </>
    );
  return (
    <>
      <PageHead {...endings[state]} />
      {(state === 'failed' || state === 'fault') && <Problem />}
      <Button wide href="/">
        {text.home}
      </Button>
    </>
  );
}

/** Shows no word of the address, because anybody may have written it. */
function Problem() {
  const { code, reference } = askedError();
  const problem =
    code !== null && Object.hasOwn(text.problems, code) ? (code as keyof typeof text.problems) : 'other';
  return (
    <>
      <p>{text.problems[problem]}</p>
      {/^[0-9a-f]{12}$/.test(reference) && (
        <p className={styles.reference}>{text.reference({ reference })}</p>
      )}
    </>
  );
}

export const page: PublicPage = { title: text.title, View: AuthorizePage };
