import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { waysInText as text } from '#contract/text/ways-in.ts';
import type { User } from '#contract/profile/user.ts';
import { lateCode, useFirstInteraction } from '#web/ui/late.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { Card, Split } from '#web/ui/sections.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import styles from './profile.module.css';

type Cards = typeof import('./ways-in-cards.ts');
let known: Cards | undefined;
const load = async () => (known = await import('./ways-in-cards.ts'));

/** How far below the view a card may be when its code loads, so that it is rarely seen waiting. */
const NEAR = '0px 0px 50%';

type Props = { user: User; onUserChanged: (changed: Partial<User>) => void };

/**
 * Passkeys, second steps and social sign-ins. They lie below the first view, so their code loads when they come near,
 * or at the first interaction, because a person may go there by keyboard.
 */
export function WaysInSections({ user, onUserChanged }: Props) {
  const [cards, setCards] = useState(known);
  const [isFailed, setFailed] = useState(false);
  const show = useCallback(() => load().then(setCards, () => setFailed(true)), []);
  useFirstInteraction(show);
  const retry = () => void lateCode(load).then(setCards);
  const waiting = <WaitingCard isFailed={isFailed} onNear={() => void show()} onRetry={retry} />;
  return (
    <>
      <Split title={text.passkeys} lead={text.passkeysLead}>
        {cards ? <cards.PasskeysCard zone={user.timeZone} /> : waiting}
      </Split>
      <Split title={text.twoStep} lead={text.twoStepLead}>
        {cards ? <cards.TwoStepCard user={user} onSaved={onUserChanged} /> : waiting}
      </Split>
      <Split title={text.app} lead={text.appLead}>
        {cards ? <cards.AuthenticatorCard user={user} /> : waiting}
      </Split>
      <Split title={text.recoveryCodes} lead={text.recoveryCodesLead}>
        {cards ? <cards.RecoveryCodesCard user={user} /> : waiting}
      </Split>
      {cards && <cards.LinkedSignIns hasPassword={user.hasPassword && user.email !== null} />}
    </>
  );
}

type WaitingProps = { isFailed: boolean; onNear: () => void; onRetry: () => void };

/** A card without its code, about as high as with it. */
function WaitingCard({ isFailed, onNear, onRetry }: WaitingProps) {
  const body = useRef<HTMLDivElement>(null);
  const come = useEffectEvent(onNear);
  useEffect(() => {
    if (!body.current) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) come();
      },
      { rootMargin: NEAR },
    );
    observer.observe(body.current);
    return () => observer.disconnect();
  }, []);
  if (isFailed)
    return (
      <Card>
        <LoadFailed onRetry={onRetry} />
      </Card>
    );
  return (
    <Card
      foot={
        <div className={styles.waitingButton}>
          <Skeleton shape="field" />
        </div>
      }
    >
      <div ref={body}>
        <Skeleton shape="pill" />
        <Skeleton width="half" />
      </div>
    </Card>
  );
}
