import { useState } from 'react';
import { publicText } from '#words/public.ts';
import { restoreText } from '#words/restore.ts';
import { supportText as text } from '#words/support.ts';
import { LinkAgain } from './link-again.tsx';
import { restoreLink } from './restore-link.ts';
import { type SupportState, supportState, zoneIn } from './support-state.ts';
import { dayIn, momentIn } from '#contract/dates.ts';
import { askedQuery, useAside } from '#web/lib/navigate.ts';
import { PageHead } from '#web/public-pages/page-head.tsx';
import type { PublicPage } from '#web/public-pages/public-page.ts';
import { site } from '#web/lib/site.ts';
import { Button } from '#web/ui/button.tsx';
import { WideLink } from '#web/public-pages/page-form.tsx';
import { Notice } from '#web/ui/notice.tsx';

const heads = {
  contact: { heading: text.contactHeading, lead: text.contactLead },
  deactivated: { heading: text.deactivatedHeading, lead: text.deactivatedLead },
  erased: { heading: text.erasedHeading, lead: text.erasedLead },
  restricted: { heading: text.restrictedHeading, lead: text.restrictedLead },
  unlocked: { heading: text.unlockedHeading, lead: text.unlockedLead },
  sent: { heading: restoreText.sentHeading, lead: restoreText.sentLead },
};

function SupportPage() {
  const [state] = useState(() => supportState(askedQuery(), new Date()));
  const [sentTo, setSentTo] = useState<string>();
  const isMailed = sentTo !== undefined;
  const signIn = useAside('/login');
  return (
    <>
      <PageHead {...heads[isMailed ? 'sent' : state.kind]} />
      {!isMailed && <Options state={state} />}
      {state.kind === 'deactivated' && <LinkAgain link={restoreLink} email={sentTo} onEmail={setSentTo} />}
      {!isMailed && <Contact alone={state.kind === 'contact'} />}
      {state.kind !== 'unlocked' && (
        <p>
          <a href={signIn}>{publicText.toLogin}</a>
        </p>
      )}
    </>
  );
}

function Options({ state }: { state: SupportState }) {
  if (state.kind === 'contact') return null;
  if (state.kind === 'erased') return <ActionLink href="/signup">{text.signUp}</ActionLink>;
  if (state.kind === 'unlocked') return <ActionLink href="/login">{text.signInNow}</ActionLink>;
  const { until } = state;
  const zone = zoneIn(askedQuery());
  if (state.kind === 'deactivated')
    return (
      <>
        {until && <Deadline {...timeLeft(state.daysLeft, until, zone)} />}
        <p>{text.deactivatedHow}</p>
      </>
    );
  return (
    <>
      {until && <Deadline left={text.openAgain} hint={text.openOn({ date: momentIn(zone)(until) })} />}
      <p>{text.restrictedHow}</p>
      <ActionLink href="/forgotpassword">{text.reset}</ActionLink>
    </>
  );
}

export const timeLeft = (daysLeft: number, until: Date, zone: string | null) => ({
  left: text.daysLeft({ days: daysLeft }),
  hint: text.erasedOn({ date: dayIn(zone)(until) }),
});

/** A deadline, set apart from the text. An info instead of a warning, because it is an opportunity. */
export const Deadline = ({ left, hint }: { left: string; hint: string }) => (
  <Notice kind="info" title={left}>
    {hint}
  </Notice>
);

const ActionLink = ({ href, children }: { href: string; children: string }) => (
  <WideLink href={useAside(href)}>{children}</WideLink>
);

function Contact({ alone }: { alone: boolean }) {
  const email = site.supportEmail;
  if (email === null) return <p>{alone ? text.contactElsewhere : text.contactAfter}</p>;
  return (
    <>
      {!alone && <p>{text.question}</p>}
      <Button href={`mailto:${email}`} kind={alone ? 'primary' : 'plain'} wide>
        {text.write({ email })}
      </Button>
    </>
  );
}

export const page: PublicPage = { title: text.title, View: SupportPage };
