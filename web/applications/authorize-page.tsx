import { useEffect, useEffectEvent, useState } from 'react';
import { authorization } from '#contract/applications/authorization.ts';
import type { Output } from '#contract/endpoint.ts';
import { PRODUCT_NAME } from '#contract/limits.ts';
import { signingOut } from '#contract/sign-in/sign-out.ts';
import { authorizeText as text } from '#contract/text/authorize.ts';
import { uiText } from '#contract/text/ui.ts';
import { fill } from '#contract/text.ts';
import { actFor, call, CallError } from '#web/lib/call.ts';
import { askedQuery, goTo, leaveFor } from '#web/lib/navigate.ts';
import { tellSignedOut } from '#web/lib/stored-text.ts';
import { useCall } from '#web/lib/use-call.ts';
import { PageHead } from '#web/public-pages/page-head.tsx';
import type { PublicPage } from '#web/public-pages/public-page.ts';
import { Button } from '#web/ui/button.tsx';
import { ChooseOrganization } from './choose-organization.tsx';
import styles from './authorize-page.module.css';

type Request = Output<typeof authorization.show>;
type State = 'opening' | 'expired' | 'failed' | 'unanswered' | Request;

const query = () => new URLSearchParams(askedQuery());

/** Sends the person to the login or sign-up page, from which they come back. */
const leaveToSignIn = (path: '/login' | '/signup'): undefined => {
  const back = new URLSearchParams({ redirectpath: `/authorize?request=${query().get('request')}` });
  goTo(`${path}?${back.toString()}`, { replace: true });
};

/** The state of the request in the address; undefined while the browser leaves for the sign-in. */
async function findState(): Promise<State | undefined> {
  if (query().has('error')) return 'failed';
  actFor();
  try {
    const request = await call(authorization.show, { request: query().get('request') ?? '' });
    if (request.step === 'sign-in') return leaveToSignIn('/login');
    if (request.step === 'sign-up') return leaveToSignIn('/signup');
    actFor(request.person ?? '');
    return request;
  } catch (failure) {
    const code = failure instanceof CallError ? failure.code : '';
    return code === 'authorization_expired' || code === 'invalid_input' ? 'expired' : 'unanswered';
  }
}

function useRequest() {
  const [state, setState] = useState<State>('opening');
  const look = async () => {
    const found = await findState();
    if (found) setState(found);
  };
  useEffect(() => void findState().then((found) => found && setState(found)), []);
  return { state, expire: () => setState('expired'), look: () => void look() };
}

/** Asks for everything that an application's request needs, and then takes the person to the application. */
function AuthorizePage() {
  const { state, expire, look } = useRequest();
  if (typeof state === 'object') return <Step request={state} onExpired={expire} onChanged={look} />;
  if (state === 'opening') return <PageHead heading={text.opening} lead={text.openingLead} />;
  if (state === 'unanswered')
    return (
      <>
        <PageHead heading={text.failed} lead={uiText.wentWrong} />
        <Button kind="primary" wide onClick={look}>
          {uiText.tryAgain}
        </Button>
      </>
    );
  return (
    <>
      {state === 'expired' ? (
        <PageHead heading={text.expired} lead={text.expiredLead} />
      ) : (
        <>
          <PageHead heading={text.failed} lead={text.failedLead} />
          <Problem />
        </>
      )}
      <Button wide href="/">
        {fill(text.home, { product: PRODUCT_NAME })}
      </Button>
    </>
  );
}

/** Shows no word of the address, because anybody may have written it. */
function Problem() {
  const code = query().get('error') ?? '';
  const reference = query().get('reference') ?? '';
  const problem = Object.hasOwn(text.problems, code) ? (code as keyof typeof text.problems) : 'other';
  return (
    <>
      <p>{text.problems[problem]}</p>
      {/^[0-9a-f]{12}$/.test(reference) && (
        <p className={styles.reference}>{fill(text.reference, { reference })}</p>
      )}
    </>
  );
}

type StepProps = { request: Request; onExpired: () => void; onChanged: () => void };

function Step({ request, onExpired, onChanged }: StepProps) {
  const id = query().get('request') ?? '';
  const { run, busy } = useCall(authorization.answer, {
    authorization_expired: onExpired,
    signed_in_as_another: onChanged,
    not_signed_in: onChanged,
    org_not_found: onChanged,
  });
  const answer = async (
    accept: boolean,
    more: { orgId?: Request['organizations'][number]['id']; remember?: boolean } = {},
  ) => {
    const done = await run({ request: id, accept, ...more });
    if (done) await leaveFor(done.url, { replace: true });
  };
  const goOn = useEffectEvent(() => void answer(true));
  const isReady = request.step === 'go-on';
  useEffect(() => {
    if (isReady) goOn();
  }, [isReady]);
  const names = { application: request.application.name, email: request.email ?? '' };
  const decline = (
    <Button wide disabled={busy} onClick={() => void answer(false)}>
      {text.decline}
    </Button>
  );
  const accept = (label: string) => (
    <Button kind="primary" wide busy={busy} onClick={() => void answer(true)}>
      {label}
    </Button>
  );
  if (request.step === 'consent')
    return (
      <>
        <PageHead heading={fill(text.consent, names)} lead={fill(text.consentLead, names)} />
        <ul className={styles.scopes}>
          {request.scopes.map((scope) => (
            <li key={scope}>{text.scopes[scope]}</li>
          ))}
        </ul>
        <p>{text.takeBack}</p>
        {accept(text.allow)}
        {decline}
      </>
    );
  if (request.step === 'organization')
    return (
      <>
        <PageHead heading={text.organization} lead={fill(text.organizationLead, names)} />
        <ChooseOrganization
          application={request.application.name}
          organizations={request.organizations}
          busy={busy}
          onChosen={(orgId, remember) => void answer(true, { orgId, remember })}
        />
        {decline}
      </>
    );
  if (request.step === 'account')
    return (
      <>
        <PageHead heading={fill(text.account, names)} lead={fill(text.accountLead, names)} />
        {accept(text.goOn)}
        <OtherAccount />
      </>
    );
  if (request.step === 'confirm')
    return (
      <>
        <PageHead heading={text.confirm} lead={fill(text.confirmLead, names)} />
        {accept(text.goOn)}
        {decline}
      </>
    );
  return <PageHead heading={text.opening} lead={text.openingLead} />;
}

/** Signs the person out, so that another one can sign in. */
function OtherAccount() {
  const { run, busy } = useCall(signingOut.signOut);
  const leave = async () => {
    if (!(await run({}))) return;
    tellSignedOut();
    leaveToSignIn('/login');
  };
  return (
    <Button wide busy={busy} onClick={() => void leave()}>
      {text.otherAccount}
    </Button>
  );
}

export const page: PublicPage = { title: text.title, View: AuthorizePage };
