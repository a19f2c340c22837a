// The card on which people see and change all their ways to sign in and their second steps.
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { Output } from '#contract/endpoint.ts';
import { fillText } from '#contract/in-words.ts';
import { PASSKEYS_PER_USER_MAX } from '#contract/limits.ts';
import type { User } from '#contract/profile/user.ts';
import { authenticator } from '#contract/sign-in/authenticator.ts';
import type { Passkey } from '#contract/sign-in/passkeys.ts';
import type { waysIn } from '#contract/sign-in/ways-in.ts';
import { passkeyText } from '#words/passkey.ts';
import { recoveryCodeText } from '#words/recovery-code.ts';
import { rememberedText } from '#words/remembered.ts';
import { waysInText as text } from '#words/ways-in.ts';
import { momentsIn } from '#web/lib/moments.ts';
import { useStepGone, waysInQuery } from '#web/lib/second-steps.ts';
import { useCall } from '#web/lib/use-call.ts';
import { useNewPasskey } from '#web/sign-in/use-new-passkey.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { latePopup } from '#web/ui/late.tsx';
import { LateConfirm } from '#web/ui/late-confirm.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Card, LoadFailed } from '#web/ui/sections.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { LinkedWays } from './linked-ways.tsx';
import { useWayActs } from './use-way-acts.ts';
import { appWords, removeAppWords, renewCodesWords, twoStepHint } from './way-words.ts';
import { Way } from './way.tsx';
import { BrowserList, PasskeyList, type PasskeyAct } from './way-lists.tsx';
import styles from './ways-in.module.css';

const SetUpDialog = latePopup(async () => (await import('./set-up-app-dialog.tsx')).SetUpAppDialog);
const CodesDialog = latePopup(async () => (await import('./recovery-codes-dialog.tsx')).RecoveryCodesDialog);
const NameDialog = latePopup(async () => (await import('./passkey-dialogs.tsx')).NamePasskeyDialog);
const RemoveDialog = latePopup(async () => (await import('./passkey-dialogs.tsx')).RemovePasskeyDialog);

/** With so few codes left, the card warns. */
const FEW_CODES = 3;
type Props = { user: User; onUserChanged: (changed: Partial<User>) => void };

export function WaysInCard(props: Props) {
  const { data, isError, refetch } = useQuery(waysInQuery);
  if (data) return <Ways {...props} ways={data} />;
  if (isError)
    return (
      <Card>
        <LoadFailed onRetry={() => void refetch()} />
      </Card>
    );
  const names = [text.twoStep, text.passkeys, text.app, text.mail, text.recoveryCodes, text.remembered];
  return (
    <Card flush>
      <ul aria-busy="true">
        {names.map((name) => (
          <Way key={name} name={name} hint={<Skeleton width="half" />} />
        ))}
      </ul>
    </Card>
  );
}
type Popup =
  | { asks: 'turnOn' | 'turnOff' | 'removeApp' | 'renewCodes' }
  | { setup: Output<typeof authenticator.beginSetup> }
  | { codes: string[] }
  | { passkey: Passkey; act: 'name' | PasskeyAct; made?: string[] | null };

function Ways({ user, onUserChanged, ways }: Props & { ways: Output<typeof waysIn.read> }) {
  const { passkeys, app, recoveryCodes: codes, rememberedBrowsers, locks, requiredBy } = ways;
  const { mfaEnabled, hasPassword, email } = user;
  const lockId = useId();
  const { momentWithin } = momentsIn(user.timeZone);
  const [popup, setPopup] = useState<Popup>();
  const [list, setList] = useState<'passkeys' | 'browsers'>();
  const [withCodes, setWithCodes] = useState(true);
  const [appButton, setAppButton] = useState<HTMLElement | null>(null);
  // The act of a popup may have opened another one.
  const close = () => setPopup((now) => (now === popup ? undefined : now));
  const showList = (name: typeof list) => setList(list === name ? undefined : name);
  const newPasskey = useNewPasskey((passkey, made) => setPopup({ passkey, act: 'name', made }));
  const beginning = useCall(authenticator.beginSetup);
  const acts = useWayActs({
    onUserChanged,
    onGone: useStepGone(close),
    onCodes: (made) => setPopup({ codes: made }),
  });
  const setUpApp = async () => {
    const setup = await beginning.run({});
    if (setup) setPopup({ setup });
  };
  const turn = (on: boolean) => void acts.turn(on, on && !codes?.left && withCodes);
  const switchTwoStep = () => {
    if (mfaEnabled || user.confirmed) setPopup({ asks: mfaEnabled ? 'turnOff' : 'turnOn' });
    // The refusal says that the address has to be confirmed first.
    else turn(true);
  };
  const isStrong = passkeys.length > 0 || app !== null;
  const takesCodes = mfaEnabled || isStrong;
  // A question closes at once, so that a proof does not open over it.
  const questions = {
    turnOn: {
      title: text.turnOnTitle,
      act: text.turnOn,
      children: (
        <div className={styles.question}>
          <p>{isStrong ? text.turnOnOtherwise : text.turnOnByMail({ email: email ?? '' })}</p>
          {!codes?.left && (
            <Checkbox
              label={text.alsoCodes}
              hint={text.alsoCodesHint}
              checked={withCodes}
              onChange={({ target }) => setWithCodes(target.checked)}
            />
          )}
        </div>
      ),
      onConfirm: () => turn(true),
    },
    turnOff: {
      title: text.turnOffTitle,
      act: text.turnOff,
      children: hasPassword ? text.turnOffEffect : text.turnOffEffectLinked,
      destructive: true,
      onConfirm: () => turn(false),
    },
    removeApp: {
      ...removeAppWords,
      after: appButton,
      onConfirm: () => void acts.removeApp(),
    },
    renewCodes: {
      ...renewCodesWords,
      onConfirm: () => void acts.makeCodes(),
    },
  };

  const organization = requiredBy ?? '';
  const lock = (words: string | false | null | undefined, id: string) =>
    words ? { lock: words, lockId: `${lockId}${id}` } : {};
  const described = (isLocked: unknown, id: string) =>
    isLocked ? { disabled: true, 'aria-describedby': `${lockId}${id}` } : {};
  const isFull = passkeys.length === PASSKEYS_PER_USER_MAX;
  const isFew = takesCodes && codes !== null && codes.left <= FEW_CODES;
  return (
    <Card flush>
      <ul>
        <Way
          name={text.twoStep}
          pill={mfaEnabled ? text.isOn : text.isOff}
          tone={mfaEnabled ? 'good' : 'neutral'}
          hint={twoStepHint(mfaEnabled, hasPassword, requiredBy)}
          {...lock(mfaEnabled && locks.twoStep && text.staysOn({ organization }), 'two-step')}
        >
          <Button
            size="small"
            kind={mfaEnabled ? 'plain' : 'primary'}
            {...described(mfaEnabled && locks.twoStep, 'two-step')}
            busy={acts.switching}
            onClick={switchTwoStep}
          >
            {mfaEnabled ? text.turnOff : text.turnOn}
          </Button>
        </Way>
        <Way
          name={text.passkeys}
          pill={passkeys.length > 0 ? String(passkeys.length) : text.none}
          tone={passkeys.length > 0 ? 'good' : 'neutral'}
          hint={passkeys.length > 0 ? text.passkeysLead : passkeyText.emptyHint}
          {...lock(isFull && passkeyText.full, 'passkeys')}
          below={
            <>
              {newPasskey.problem && (
                <Notice kind="warning" announce>
                  {newPasskey.problem}
                </Notice>
              )}
              {list === 'passkeys' && (
                <PasskeyList
                  passkeys={passkeys}
                  lock={locks.passkey && fillText(passkeyText.locks[locks.passkey], { organization })}
                  zone={user.timeZone}
                  onAct={(passkey, act) => setPopup({ passkey, act })}
                />
              )}
            </>
          }
        >
          <Button
            size="small"
            busy={newPasskey.busy}
            {...described(isFull, 'passkeys')}
            onClick={() => void newPasskey.add()}
          >
            {passkeyText.add}
          </Button>
          {passkeys.length > 0 && (
            <Button size="small" aria-expanded={list === 'passkeys'} onClick={() => showList('passkeys')}>
              {text.showPasskeys}
            </Button>
          )}
        </Way>
        <Way
          name={text.app}
          pill={app ? text.appOn : text.appOff}
          tone={app ? 'good' : 'neutral'}
          hint={app ? appWords(app, momentWithin) : text.noApp}
          {...lock(app && locks.app && text.appStays({ organization }), 'app')}
        >
          <Button
            ref={setAppButton}
            size="small"
            aria-label={app ? text.replaceAppName : undefined}
            busy={beginning.busy}
            onClick={() => void setUpApp()}
          >
            {app ? text.replaceApp : text.setUpApp}
          </Button>
          {app && (
            <Button
              size="small"
              kind="danger-plain"
              aria-label={text.removeAppName}
              {...described(locks.app, 'app')}
              busy={acts.removing}
              onClick={() => setPopup({ asks: 'removeApp' })}
            >
              {text.removeApp}
            </Button>
          )}
        </Way>
        {email !== null && (
          <Way
            name={text.mail}
            pill={mfaEnabled && user.confirmed ? text.mailOn : text.mailOff}
            tone={mfaEnabled && user.confirmed ? 'good' : 'neutral'}
            hint={user.confirmed ? text.mailConfirmed({ email }) : text.mailUnconfirmed}
          />
        )}
        <Way
          name={text.recoveryCodes}
          pill={codes ? recoveryCodeText.left({ left: codes.left }) : text.none}
          tone={isFew ? 'warn' : codes && takesCodes ? 'good' : 'neutral'}
          hint={
            codes ? recoveryCodeText.made({ time: momentWithin(codes.createdTime) }) : text.recoveryCodesLead
          }
          {...lock(!takesCodes && recoveryCodeText.needsStep, 'codes')}
          below={
            isFew && (
              <Notice kind="warning">
                {codes.left === 0 ? recoveryCodeText.gone : recoveryCodeText.few}
              </Notice>
            )
          }
        >
          <Button
            size="small"
            busy={acts.renewing}
            {...described(!takesCodes, 'codes')}
            onClick={() => (codes?.left ? setPopup({ asks: 'renewCodes' }) : void acts.makeCodes())}
          >
            {codes ? recoveryCodeText.renew : recoveryCodeText.make}
          </Button>
        </Way>
        <Way
          name={text.remembered}
          pill={rememberedBrowsers.length > 0 ? String(rememberedBrowsers.length) : text.none}
          hint={rememberedText.lead}
          below={list === 'browsers' && <BrowserList browsers={rememberedBrowsers} zone={user.timeZone} />}
        >
          {rememberedBrowsers.length > 0 && (
            <Button size="small" aria-expanded={list === 'browsers'} onClick={() => showList('browsers')}>
              {text.showBrowsers}
            </Button>
          )}
        </Way>
        <LinkedWays opensOtherwise={(hasPassword && email !== null) || passkeys.length > 0} />
      </ul>
      {popup && 'asks' in popup && <LateConfirm onClose={close} {...questions[popup.asks]} />}
      {popup && 'setup' in popup && (
        <SetUpDialog
          setup={popup.setup}
          isReplacement={app !== null}
          onClose={close}
          onDone={(made) => setPopup(made ? { codes: made } : undefined)}
        />
      )}
      {popup && 'codes' in popup && <CodesDialog codes={popup.codes} user={user} onClose={close} />}
      {popup && 'passkey' in popup && popup.act === 'remove' && (
        <RemoveDialog passkey={popup.passkey} onClose={close} />
      )}
      {popup && 'passkey' in popup && popup.act !== 'remove' && (
        <NameDialog
          passkey={popup.passkey}
          isNew={popup.act === 'name'}
          onClose={() => setPopup(popup.made ? { codes: popup.made } : undefined)}
        />
      )}
    </Card>
  );
}
