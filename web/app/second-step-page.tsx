import { Link, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { awaitingText as text } from '#contract/text/second-step-rule.ts';
import { fill } from '#contract/text.ts';
import { goTo, leaveFor } from '#web/lib/navigate.ts';
import { goOn } from '#web/public-pages/go-on.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { latePopup } from '#web/ui/late.tsx';
import { Card, PageHeader } from '#web/ui/sections.tsx';
import { OWN_SEGMENT } from './landing.ts';
import styles from './second-step-page.module.css';
import { closedBySecondStep } from './session.ts';
import { useSession } from './session-context.ts';
import { Named } from '#web/ui/named.tsx';

const ProofDialog = latePopup(async () => (await import('./proof-dialog.tsx')).ProofDialog);

export function SecondStepPage() {
  const session = useSession();
  const { current, others } = session;
  const search = useSearch({ from: '/account/secondstep' });
  const { org } = search;
  const closed = closedBySecondStep(session);
  const all = current ? [current, ...others] : others;
  const asking = closed.find(({ urlName }) => urlName === org) ?? (org === undefined ? closed[0] : undefined);
  const open = all.filter(({ id }) => closed.every((organization) => organization.id !== id));
  const openTarget = asking ? undefined : (open.find(({ urlName }) => urlName === org) ?? open[0]);
  const target = asking ?? openTarget;
  const elsewhere = open.filter(({ id }) => id !== target?.id);
  const organization = target?.name ?? '';
  const rule = asking?.rule === 'strong' ? 'strong' : 'any';
  const isLost = target === undefined;
  useEffect(() => {
    if (isLost) goTo('/', { replace: true });
  }, [isLost]);
  const enter = () => goOn(`/${target?.urlName ?? ''}`);
  const myProfile = `/${current?.urlName ?? OWN_SEGMENT}/myprofile`;
  return (
    <>
      <PageHeader
        title={fill(asking ? text.title : text.openTitle, { organization })}
        lead={asking ? text.closedLead[rule] : text.openLead}
      />
      {!asking && (
        <Steps
          act={
            <Button kind="primary" onClick={() => void enter()}>
              {fill(text.open, { organization })}
            </Button>
          }
        />
      )}
      {asking && !asking.isReady && (
        <Steps
          title={text.setUpTitle}
          lead={text.setUpLead}
          act={
            <Link className={buttonClass({ kind: 'primary' })} to={myProfile} search={search}>
              {text.setUp}
            </Link>
          }
        />
      )}
      {asking?.isReady && (
        <Steps
          title={text.confirmTitle}
          lead={text.confirmLead}
          act={<Confirm rule={rule} organization={organization} onProven={() => void enter()} />}
        />
      )}
      {elsewhere.length > 0 && (
        <Card title={text.others}>
          <ul className={styles.others}>
            {elsewhere.map(({ id, name, urlName }) => (
              <li key={id}>
                <Button onClick={() => void leaveFor(`/${urlName}`)}>
                  <Named>{name}</Named>
                </Button>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  );
}

type StepsProps = { title?: string; lead?: string; act: ReactNode };
const Steps = ({ title, lead, act }: StepsProps) => (
  <Card {...(title !== undefined && { title })} lead={lead} foot={act} />
);

const accepted = { any: ['passkey', 'app', 'mail'], strong: ['passkey', 'app'] } as const;

type ConfirmProps = { rule: 'any' | 'strong'; organization: string; onProven: () => void };
/** The button that opens the proof. A password is no second step, and a mailed code not always. */
function Confirm({ rule, organization, onProven }: ConfirmProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button kind="primary" onClick={() => setAsking(true)}>
        {fill(text.confirm, { organization })}
      </Button>
      {isAsking && (
        <ProofDialog
          accepted={accepted[rule]}
          onClose={() => setAsking(false)}
          onProven={() => {
            setAsking(false);
            onProven();
          }}
        />
      )}
    </>
  );
}
