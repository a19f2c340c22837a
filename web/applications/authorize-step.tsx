import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { authorization, type Step } from '#contract/applications/authorization.ts';
import type { Scope } from '#contract/split-by-bytes/scopes.ts';
import type { Input, Output } from '#contract/endpoint.ts';
import { signingOut } from '#contract/sign-in/sign-out.ts';
import { authorizeText as text } from '#words/authorize.ts';
import { leaveFor } from '#web/lib/navigate.ts';
import { tellSignedOut } from '#web/lib/stored-text.ts';
import { useCall } from '#web/lib/use-call.ts';
import { whileBusy } from '#web/lib/while-busy.ts';
import { PageHead } from '#web/public-pages/page-head.tsx';
import { Button } from '#web/ui/button.tsx';
import { WideLink } from '#web/public-pages/page-form.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { ApplicationHead } from './application-head.tsx';
import { askedRequest, entryUrl, signInAgain } from './asked-request.ts';
import styles from './authorize-page.module.css';

export type OpenRequest = Output<typeof authorization.show> & {
  /** Loaded for the steps that few requests wait for. */
  readonly rare?: typeof import('./rare-steps.ts');
};
type Props = { request: OpenRequest; onExpired: () => void; onChanged: () => void };

function useAnswer({ onExpired, onChanged }: Omit<Props, 'request'>) {
  const { run, busy } = useCall(authorization.answer, {
    authorization_expired: onExpired,
    signed_in_as_another: onChanged,
    not_signed_in: onChanged,
    org_not_found: onChanged,
    reauthentication_required: onChanged,
  });
  const [isLeaving, setLeaving] = useState(false);
  const answer = async (more: Omit<Input<typeof authorization.answer>, 'request'>) => {
    const onward = await run({ request: askedRequest() ?? '', ...more });
    if (onward) await whileBusy(setLeaving, () => leaveFor(onward.url, { replace: true }));
  };
  return { answer, busy: busy || isLeaving };
}

export function AuthorizeStep({ request, ...on }: Props) {
  const { answer, busy } = useAnswer(on);
  if (request.step === 'go-on') return <GoOn busy={busy} onGoOn={() => answer({ accept: true })} />;
  const { step, application, signedInAs, errorUrl, rare } = request;
  if (errorUrl !== null) return <Leave application={application} url={errorUrl} />;
  const [organization] = request.organizations;
  const head = headOf(step, application.name, organization?.name);
  const accept = (label: string) => (
    <Button kind="primary" wide busy={busy} onClick={() => void answer({ accept: true })}>
      {label}
    </Button>
  );
  return (
    <>
      <ApplicationHead application={application} />
      {head && <PageHead {...head} />}
      {step === 'consent' && (
        <>
          <ul className={styles.scopes}>
            {request.scopes.map((scope) => (
              <li key={scope}>{wordsOf(scope, request)}</li>
            ))}
          </ul>
          <p>{text.takeBack}</p>
          {accept(text.allow)}
        </>
      )}
      {step === 'organization' && rare && (
        <rare.ChooseOrganization
          application={application.name}
          organizations={request.organizations}
          busy={busy}
          onChosen={(orgId, remember) => void answer({ accept: true, orgId, remember })}
        />
      )}
      {step === 'second-step' && organization && (
        <WideLink href={entryUrl(step, organization.urlName)}>{text.toSecondStep}</WideLink>
      )}
      {step === 'company' && organization && rare && <rare.CompanyStep organization={organization} />}
      {step === 'account' && (
        <>
          <p className={styles.account}>{signedInAs}</p>
          {accept(text.goOn)}
          <OtherAccount onLeft={on.onChanged}>{(other) => <Button wide {...other} />}</OtherAccount>
        </>
      )}
      {request.proof && <Confirm request={request} onProven={on.onChanged} />}
      <Button wide disabled={busy} onClick={() => void answer({ accept: false })}>
        {step === 'no-entry' ? text.back({ application: application.name }) : text.decline}
      </Button>
      {step !== 'account' && (
        <p className={styles.person}>
          <span>{text.signedInAs({ account: signedInAs ?? '' })}</span>{' '}
          <OtherAccount onLeft={on.onChanged}>
            {({ children, onClick }) => <LinkButton onClick={onClick}>{children}</LinkButton>}
          </OtherAccount>
        </p>
      )}
    </>
  );
}
function Leave({ application, url }: { application: OpenRequest['application']; url: string }) {
  const names = { application: application.name, host: application.host ?? '' };
  return (
    <>
      <ApplicationHead application={application} />
      <PageHead heading={text.leave(names)} lead={text.leaveLead(names)} />
      <Button wide href={url}>
        {text.leaveAct(names)}
      </Button>
    </>
  );
}

/** The words for a scope. An organization's own application learns no time zone. */
function wordsOf(scope: Scope, { application, organizations: [organization] }: OpenRequest) {
  if (scope === 'organization' && organization)
    return text.inOrganization({ organization: organization.name });
  return scope === 'profile' && application.organization !== null ? text.ownProfile : text.scopes[scope];
}

function headOf(step: Step, application: string, organization = '') {
  const names = { application, organization };
  if (step === 'consent') return { heading: text.consent(names), lead: text.consentLead };
  if (step === 'organization') return { heading: text.organization, lead: text.organizationLead(names) };
  if (step === 'second-step' && organization === '')
    return {
      heading: text.secondStep({ organization: application }),
      lead: text.ownSecondStepLead(names),
    };
  if (step === 'second-step') return { heading: text.secondStep(names), lead: text.secondStepLead(names) };
  if (step === 'account') return { heading: text.account, lead: text.accountLead(names) };
  if (step === 'no-entry') return { heading: text.noEntry(names), lead: text.noEntryLead(names) };
  if (step === 'confirm') return { heading: text.confirm, lead: text.confirmLead(names) };
  return undefined;
}

/** Answers by itself. A failed answer leaves a button for another try. */
function GoOn({ busy, onGoOn }: { busy: boolean; onGoOn: () => Promise<void> }) {
  const [hasFailed, setFailed] = useState(false);
  const goOn = () => void onGoOn().then(() => setFailed(true));
  const arrive = useEffectEvent(goOn);
  useEffect(() => arrive(), []);
  return (
    <>
      <PageHead heading={text.opening} lead={text.openingLead} />
      {hasFailed && (
        <Button kind="primary" wide busy={busy} onClick={goOn}>
          {text.goOn}
        </Button>
      )}
    </>
  );
}

function Confirm({ request, onProven }: { request: OpenRequest; onProven: () => void }) {
  const { rare, proof } = request;
  const isSecondStep = request.step === 'second-step';
  if (rare && proof && proof !== 'sign-in')
    return <rare.ConfirmForm first={proof} isSecondStep={isSecondStep} onProven={onProven} />;
  return (
    <>
      <p>{isSecondStep ? text.secondStepBySignIn : text.confirmBySignIn}</p>
      <Button kind="primary" wide onClick={() => signInAgain(request)}>
        {text.signInAgain}
      </Button>
    </>
  );
}

type Other = { children: string; busy: boolean; onClick: () => void };
type OtherProps = { onLeft: () => void; children: (other: Other) => ReactNode };

function OtherAccount({ onLeft, children }: OtherProps) {
  const { run, busy } = useCall(signingOut.signOut);
  const leave = async () => {
    if (!(await run({}))) return;
    tellSignedOut();
    onLeft();
  };
  return children({ children: text.otherAccount, busy, onClick: () => void leave() });
}
