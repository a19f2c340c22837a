import { useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { browserWords } from '#contract/sessions/browser-words.ts';
import type { Passkey } from '#contract/sign-in/passkeys.ts';
import { type RememberedBrowser, rememberedBrowsers } from '#contract/sign-in/remembered-browsers.ts';
import { passkeyText } from '#words/passkey.ts';
import { rememberedText } from '#words/remembered.ts';
import { sessionsText } from '#words/sessions.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { momentsIn } from '#web/lib/moments.ts';
import { refetchSecondSteps } from '#web/lib/second-steps.ts';
import { useCall } from '#web/lib/use-call.ts';
import { Button } from '#web/ui/button.tsx';
import { Named } from '#web/ui/named.tsx';
import { nextAct } from '#web/ui/next-act.ts';
import { Way } from './way.tsx';
import styles from './ways-in.module.css';

export type PasskeyAct = 'rename' | 'remove';
type PasskeysProps = {
  passkeys: Passkey[];
  /** Why the only passkey can't be removed. */
  lock: string | null;
  zone: string | null;
  onAct: (passkey: Passkey, act: PasskeyAct) => void;
};

export function PasskeyList({ passkeys, lock, zone, onAct }: PasskeysProps) {
  const lockId = useId();
  const { momentWithin } = momentsIn(zone);
  return (
    <ul className={styles.list} aria-label={passkeyText.list}>
      {passkeys.map((passkey) => {
        const { id, provider, kind, createdTime, lastUsedTime } = passkey;
        const name = passkey.name ?? passkeyText.unnamed;
        const about = [provider !== name && provider, passkeyText.kinds[kind]].filter(Boolean).join(' · ');
        const added = momentWithin(createdTime);
        return (
          <Way
            key={id}
            name={<Named>{name}</Named>}
            hint={
              <>
                <p>{about}</p>
                <p>
                  {lastUsedTime
                    ? passkeyText.used({ added, used: momentWithin(lastUsedTime) })
                    : passkeyText.unused({ added })}
                </p>
              </>
            }
            {...(lock && { lock, lockId })}
          >
            <Button
              size="small"
              aria-label={passkeyText.rename({ name })}
              onClick={() => onAct(passkey, 'rename')}
            >
              {passkeyText.renameAct}
            </Button>
            <Button
              size="small"
              kind="danger-plain"
              aria-label={passkeyText.remove({ name })}
              {...(lock && { disabled: true, 'aria-describedby': lockId })}
              onClick={() => onAct(passkey, 'remove')}
            >
              {passkeyText.removeAct}
            </Button>
          </Way>
        );
      })}
    </ul>
  );
}

type BrowsersProps = { browsers: RememberedBrowser[]; zone: string | null };

/** Forgetting needs no question: the next sign-in there asks for the second step and can remember again. */
export function BrowserList({ browsers, zone }: BrowsersProps) {
  const client = useQueryClient();
  const { moment, dayName } = momentsIn(zone);
  const { run, busy } = useCall(rememberedBrowsers.forget);
  const forget = async (id?: string) => {
    const row = document.activeElement?.closest('ul')?.closest('li');
    const next = nextAct();
    if (!(await run(id === undefined ? {} : { id }))) return;
    await refetchSecondSteps(client);
    showAlert({
      kind: 'success',
      text: id === undefined ? rememberedText.allDone : rememberedText.forgotten,
    });
    (next ?? row?.querySelector<HTMLElement>('button'))?.focus();
  };
  return (
    <ul className={styles.list} aria-label={rememberedText.title}>
      {browsers.map(
        ({ id, browserName, systemName, location, ipAddress, createdTime, expiresTime, isCurrent }) => {
          const browser = browserWords({ browser: browserName, system: systemName }, sessionsText.browsers);
          return (
            <Way
              key={id}
              name={browser}
              {...(isCurrent && { pill: rememberedText.current, tone: 'good' })}
              hint={rememberedText.about({
                location,
                address: ipAddress,
                since: moment(createdTime),
                until: dayName(expiresTime),
              })}
            >
              <Button
                size="small"
                disabled={busy}
                aria-label={rememberedText.forget({ browser, location, address: ipAddress })}
                onClick={() => void forget(id)}
              >
                {rememberedText.forgetAct}
              </Button>
            </Way>
          );
        },
      )}
      {browsers.length > 1 && (
        <li>
          <Button size="small" kind="danger-plain" disabled={busy} onClick={() => void forget()}>
            {rememberedText.all}
          </Button>
        </li>
      )}
    </ul>
  );
}
