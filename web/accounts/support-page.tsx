import { useState } from 'react';
import { PRODUCT_NAME } from '#contract/limits.ts';
import { supportText as text } from '#contract/text/support.ts';
import { fill } from '#contract/text.ts';
import { type SupportState, supportState } from '#web/accounts/support-state.ts';
import { askedQuery } from '#web/lib/navigate.ts';
import { PageHead } from '#web/lib/page-head.tsx';
import type { PublicPage } from '#web/lib/public-page.ts';
import { site } from '#web/lib/site.ts';
import { Button } from '#web/ui/button.tsx';
import styles from './support-page.module.css';

const day = new Intl.DateTimeFormat('en', { dateStyle: 'long' });
const moment = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short' });

const leads = {
  contact: { heading: text.contactHeading, lead: text.contactLead },
  deactivated: { heading: text.deactivatedHeading, lead: text.deactivatedLead },
  restricted: { heading: text.restrictedHeading, lead: text.restrictedLead },
};

function SupportPage() {
  const [state] = useState(() => supportState(askedQuery(), new Date()));
  return (
    <>
      <PageHead {...leads[state.kind]} />
      <TimeLeft state={state} />
      <Contact alone={state.kind === 'contact'} />
      <p>
        <a href="/login">{text.signIn}</a>
      </p>
    </>
  );
}

/** How long it lasts, large, for that is what people come here for. */
function TimeLeft({ state }: { state: SupportState }) {
  if (state.kind === 'contact') return null;
  const { until } = state;
  if (state.kind === 'restricted') {
    if (!until) return null;
    return (
      <div className={styles.time}>
        <span>{text.openAgain}</span>
        <strong>{state.over ? text.openNow : fill(text.openOn, { date: moment.format(until) })}</strong>
      </div>
    );
  }
  return (
    <>
      {until && (
        <div className={styles.time}>
          <strong>{leftWords(state.daysLeft)}</strong>
          {state.daysLeft > 0 && <span>{fill(text.erasedOn, { date: day.format(until) })}</span>}
        </div>
      )}
      <p>{text.deactivatedHow}</p>
    </>
  );
}

function leftWords(days: number) {
  if (days === 0) return text.erased;
  return days === 1 ? text.dayLeft : fill(text.daysLeft, { days });
}

/** The way to a person: the operator's address, or whoever runs the portal when they set none. */
function Contact({ alone }: { alone: boolean }) {
  const email = site.supportEmail;
  if (email === null) return <p>{fill(text.contactElsewhere, { product: PRODUCT_NAME })}</p>;
  return (
    <>
      {!alone && <p>{text.question}</p>}
      <Button href={`mailto:${email}`} kind={alone ? 'primary' : 'plain'} wide>
        {fill(text.write, { email })}
      </Button>
    </>
  );
}

export const page: PublicPage = { title: text.title, View: SupportPage };
