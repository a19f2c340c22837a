import { useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { dayIn } from '#contract/dates.ts';
import { awaitingText as text } from '#words/awaiting.ts';
import { askedPath, goTo, leaveFor } from '#web/lib/navigate.ts';
import { goOn } from '#web/public-pages/go-on.ts';
import { Button } from '#web/ui/button.tsx';
import { Named } from '#web/ui/named.tsx';
import { Card, PageHeader } from '#web/ui/sections.tsx';
import styles from './second-step-page.module.css';
import { SecondStepWays } from './second-step-ways.tsx';
import { closedBySecondStep } from './session.ts';
import { useSession } from './session-context.ts';

export function SecondStepPage() {
  const session = useSession();
  const { current, others, awaiting = [], needsEntry = [], user } = session;
  const [openedAt] = useState(() => new Date());
  const { org } = useSearch({ from: '/account/secondstep' });
  const closed = closedBySecondStep(session);
  const all = current ? [current, ...others] : others;
  const asking =
    awaiting.find(({ urlName }) => urlName === org) ?? (org === undefined ? closed[0] : undefined);
  const open = all.filter(({ id }) => [...closed, ...needsEntry].every((one) => one.id !== id));
  const openTarget = asking ? undefined : (open.find(({ urlName }) => urlName === org) ?? open[0]);
  const target = asking ?? openTarget;
  const elsewhere = open.filter(({ id }) => id !== target?.id);
  const organization = target?.name ?? '';
  const rule = asking?.rule === 'strong' ? 'strong' : 'any';
  const isLost = target === undefined;
  useEffect(() => {
    if (isLost) goTo('/', { replace: true });
  }, [isLost]);
  const enter = () => void goOn(askedPath() ?? `/${target?.urlName ?? ''}`);
  const isLater = asking && asking.from > openedAt;
  const title = !asking ? text.openTitle : isLater ? text.titleLater : text.title;
  return (
    <>
      <PageHeader
        title={title({ organization, day: asking ? dayIn(user.timeZone)(asking.from) : '' })}
        lead={asking ? text.closedLead[rule] : text.openLead}
      />
      <Card {...(asking && (asking.isReady ? confirmWords : setUpWords(elsewhere.length > 0)))}>
        {!asking && (
          <div>
            <Button kind="primary" onClick={enter}>
              {text.open({ organization })}
            </Button>
          </div>
        )}
        <SecondStepWays
          {...(asking && { asked: { rule, isReady: asking.isReady, isShown: !asking.isClosed } })}
          confirm={text.confirm({ organization })}
          onMet={enter}
        />
      </Card>
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

const setUpWords = (hasOthers: boolean) => ({
  title: text.setUpTitle,
  lead: hasOthers ? text.setUpLead : text.setUpLeadAlone,
});
const confirmWords = { title: text.confirmTitle, lead: text.confirmLead };
