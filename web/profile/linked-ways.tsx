import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type MouseEvent, useId, useState } from 'react';
import type { Output } from '#contract/endpoint.ts';
import { social } from '#contract/social/calls.ts';
import { disconnectText } from '#words/disconnect.ts';
import { profileText as text } from '#words/profile.ts';
import { socialButtonsText } from '#words/social-buttons.ts';
import { call } from '#web/lib/call.ts';
import { refetchSecondSteps, SECOND_STEPS_KEY } from '#web/lib/second-steps.ts';
import { sendTo } from '#web/public-pages/social-popup.ts';
import { useCall } from '#web/lib/use-call.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { Button } from '#web/ui/button.tsx';
import { LateConfirm } from '#web/ui/late-confirm.tsx';
import { LoadFailed } from '#web/ui/sections.tsx';
import { Way } from './way.tsx';
import styles from './ways-in.module.css';

type SignInMethod = Output<typeof social.linked>[number];
const queryKey = [SECOND_STEPS_KEY, 'linked'];

export function LinkedWays({ opensOtherwise }: { opensOtherwise: boolean }) {
  const { data, isError, refetch } = useQuery({
    queryKey,
    queryFn: () => call(social.linked, {}),
    // Another window may have linked one.
    refetchOnWindowFocus: true,
  });
  if (isError && !data)
    return <Way name={text.linked} hint={<LoadFailed onRetry={() => void refetch()} />} />;
  const methods = data?.filter((way) => way.linked || way.available);
  return methods?.map((way) => {
    const others = methods.filter((other) => other !== way && other.linked && other.available);
    return <LinkedWay key={way.provider} way={way} isOnly={!opensOtherwise && others.length === 0} />;
  });
}

/** `isOnly`: no other sign-in opens the account. */
function LinkedWay({ way: { provider, linked }, isOnly }: { way: SignInMethod; isOnly: boolean }) {
  const cache = useQueryClient();
  const name = socialButtonsText.providers[provider];
  const label = (linked ? text.disconnectOne : text.connectOne)({ provider: name });
  const connecting = useCall(social.start);
  const lockId = useId();
  const isLocked = linked && isOnly;
  const disconnecting = useCall(social.unlink);
  const [isAsking, setAsking] = useState(false);
  // A popup at a provider is cut off from the area, so this window goes there itself.
  const connect = async ({ currentTarget }: MouseEvent) => {
    const start = await connecting.run({ state: '2', channel: provider });
    if (start) await sendTo(start.authUrl, null, currentTarget);
  };
  const disconnect = async () => {
    const remaining = await disconnecting.run({ provider });
    if (!remaining) return false;
    cache.setQueryData(queryKey, remaining);
    // A fetch in flight may bring older data, and a passkey may have become the last way in.
    void refetchSecondSteps(cache);
    showAlert({ kind: 'success', text: text.disconnected({ provider: name }) });
    return true;
  };
  return (
    <>
      <Way
        name={
          <>
            <span className={styles[provider]} />
            {name}
          </>
        }
        pill={linked ? text.isLinked : text.isNotLinked}
        tone={linked ? 'good' : 'neutral'}
        {...(isLocked && { lock: text.onlyWay, lockId })}
      >
        <Button
          size="small"
          aria-label={label}
          busy={connecting.busy}
          disabled={isLocked}
          aria-describedby={isLocked ? lockId : undefined}
          onClick={(event) => (linked ? setAsking(true) : void connect(event))}
        >
          {linked ? text.disconnect : text.connect}
        </Button>
      </Way>
      {isAsking && (
        <LateConfirm
          onClose={() => setAsking(false)}
          title={disconnectText.title({ provider: name })}
          act={label}
          destructive
          onConfirm={disconnect}
        >
          {disconnectText.effect({ provider: name })}
        </LateConfirm>
      )}
    </>
  );
}
