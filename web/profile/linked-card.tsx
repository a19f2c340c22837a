import { useQuery } from '@tanstack/react-query';
import { type MouseEvent, type ReactNode, useState } from 'react';
import { type ProviderName, social } from '#contract/social.ts';
import { profileText as text } from '#contract/text/profile.ts';
import { socialButtonsText } from '#contract/text/social-buttons.ts';
import { uiText } from '#contract/text/ui.ts';
import { fill } from '#contract/text.ts';
import { call } from '#web/lib/call.ts';
import { sendTo } from '#web/lib/social-popup.ts';
import { useCall } from '#web/lib/use-call.ts';
import { Button } from '#web/ui/button.tsx';
import { whyNotLoaded } from '#web/ui/cause.ts';
import { classNames } from '#web/ui/class-names.ts';
import { Notice } from '#web/ui/notice.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { Card, Split } from '#web/ui/sections.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import styles from './profile.module.css';

/** Which sign-ins elsewhere open the account, and the way to link one more. */
export function LinkedSignIns() {
  const linked = useQuery({
    queryKey: ['linked'],
    queryFn: () => call(social.linked, {}),
    // It may have been linked in another window.
    refetchOnWindowFocus: true,
  });
  const { run, busy } = useCall(social.start);
  const [asking, setAsking] = useState<ProviderName>();
  // Seen from the area, a window at a provider is cut off from this one: so this one goes.
  const connect = async (channel: ProviderName, { currentTarget }: MouseEvent) => {
    setAsking(channel);
    const started = await run({ state: '2', channel });
    if (started) await sendTo(started.authUrl, null, currentTarget);
  };
  const ways = linked.data?.filter((way) => way.linked || way.available);
  // Where nothing can be linked there is nothing to tell.
  if (ways?.length === 0) return null;
  if (linked.isError && !ways)
    return (
      <Frame>
        <Notice
          kind="danger"
          title={uiText.loadFailed}
          action={
            <Button size="small" onClick={() => void linked.refetch()}>
              {uiText.tryAgain}
            </Button>
          }
        >
          {whyNotLoaded()}
        </Notice>
      </Frame>
    );
  return (
    <Frame>
      <ul className={styles.ways} aria-busy={!ways}>
        {ways?.map(({ provider, linked: isLinked, available }) => {
          const name = socialButtonsText.providers[provider];
          return (
            <li key={provider}>
              <span className={classNames(styles.icon, styles[provider])} />
              <strong>{name}</strong>
              <Pill tone={isLinked ? 'good' : 'neutral'}>{isLinked ? text.isLinked : text.isNotLinked}</Pill>
              {available && !isLinked && (
                <span className={styles.end}>
                  <Button
                    size="small"
                    aria-label={fill(text.connectOne, { provider: name })}
                    busy={busy && asking === provider}
                    onClick={(event) => void connect(provider, event)}
                  >
                    {text.connect}
                  </Button>
                </span>
              )}
            </li>
          );
        }) ?? (
          <>
            <li>
              <Skeleton width="half" />
            </li>
            <li>
              <Skeleton width="half" />
            </li>
          </>
        )}
      </ul>
    </Frame>
  );
}

const Frame = ({ children }: { children: ReactNode }) => (
  <Split title={text.linked} lead={text.linkedHint}>
    <Card>{children}</Card>
  </Split>
);
