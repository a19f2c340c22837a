import { useState } from 'react';
import { farewellText as text } from '#words/farewell.ts';
import { Deadline, timeLeft } from './support-page.tsx';
import { supportState, zoneIn } from './support-state.ts';
import { askedQuery, useBrowserValue } from '#web/lib/navigate.ts';
import { PageHead } from '#web/public-pages/page-head.tsx';
import type { PublicPage } from '#web/public-pages/public-page.ts';
import { Button } from '#web/ui/button.tsx';
import { WideLink } from '#web/public-pages/page-form.tsx';

const unknownDeadline = { left: text.atMost, hint: text.atMostHint };

function FarewellPage() {
  const search = useBrowserValue(askedQuery, '');
  const [now] = useState(() => new Date());
  const state = supportState(search, now);
  const until = state.kind === 'deactivated' ? state.until : undefined;
  const wasMailed = new URLSearchParams(search).get('mailed') !== '0';
  return (
    <>
      <PageHead heading={text.title} lead={text.lead} />
      <Deadline
        {...(state.kind === 'deactivated' && until
          ? timeLeft(state.daysLeft, until, zoneIn(search))
          : unknownDeadline)}
      />
      <p>{wasMailed ? text.how : text.howNoMail}</p>
      {wasMailed ? (
        <p>
          {text.noMail({
            again: (words) => (
              <a key="again" href={`/support${search}`}>
                {words}
              </a>
            ),
          })}
        </p>
      ) : (
        <WideLink href="/support">{text.support}</WideLink>
      )}
      <Button href="/" wide>
        {text.home}
      </Button>
    </>
  );
}

export const page: PublicPage = { title: text.title, View: FarewellPage };
