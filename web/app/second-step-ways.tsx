import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Output } from '#contract/endpoint.ts';
import { authenticator } from '#contract/sign-in/authenticator.ts';
import { recoveryCodes } from '#contract/sign-in/recovery-codes.ts';
import { stepUp } from '#contract/sign-in/step-up.ts';
import { passkeyOfferText } from '#words/passkey-offer.ts';
import { recoveryCodeText } from '#words/recovery-code.ts';
import { stepUpText } from '#words/step-up.ts';
import { waysInText } from '#words/ways-in.ts';
import { waysText as text } from '#words/ways.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { proofsQuery, refetchSecondSteps, waysInQuery } from '#web/lib/second-steps.ts';
import { useCall } from '#web/lib/use-call.ts';
import type { SecondStepWaysProps } from '#web/organizations/second-step-card.tsx';
import { Lost } from '#web/public-pages/lost.tsx';
import { OtherWays } from '#web/public-pages/other-ways.tsx';
import type { Way } from '#web/public-pages/proof.tsx';
import { useNewPasskey } from '#web/sign-in/use-new-passkey.ts';
import { Button } from '#web/ui/button.tsx';
import { latePopup } from '#web/ui/late.tsx';
import { Notice } from '#web/ui/notice.tsx';
import styles from './second-step-page.module.css';
import { useSession } from './session-context.ts';

const ProofDialog = latePopup(async () => (await import('./proof-dialog.tsx')).ProofDialog);
const SetUpDialog = latePopup(
  async () => (await import('#web/profile/set-up-app-dialog.tsx')).SetUpAppDialog,
);
const CodesDialog = latePopup(
  async () => (await import('#web/profile/recovery-codes-dialog.tsx')).RecoveryCodesDialog,
);

type Open =
  | { proof: Way | undefined; turnsOn: boolean }
  | { setup: Output<typeof authenticator.beginSetup> }
  | { codes: string[] };

/** The ways to meet an organization's rule here: to show a second step, or to set one up. */
export function SecondStepWays({ asked, needsSpare, confirm, onMet }: SecondStepWaysProps) {
  const { user, awaiting } = useSession();
  const client = useQueryClient();
  const { data: waysIn } = useQuery(waysInQuery);
  const isReady = asked?.isReady === true;
  const { data: proofs } = useQuery({ ...proofsQuery(asked?.rule ?? 'any'), enabled: isReady });
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const passkey = useNewPasskey((_passkey, codes) => {
    showAlert({ kind: 'success', text: passkeyOfferText.added });
    if (codes) setOpen({ codes });
    else onMet();
  });
  const begin = useCall(authenticator.beginSetup);
  const renewal = useCall(recoveryCodes.renew);
  const twoStep = useCall(stepUp.setTwoStep);
  const finish = async (turnsOn: boolean) => {
    close();
    if (turnsOn && !(await twoStep.run({ mfaEnabled: true }))) return;
    await refetchSecondSteps(client);
    onMet();
  };
  const setUpApp = async () => {
    const setup = await begin.run({});
    if (setup) setOpen({ setup });
  };
  const makeCodes = async () => {
    const made = await renewal.run({});
    if (made) setOpen({ codes: made.codes });
  };
  const prove = (proof: Way | undefined, turnsOn: boolean) => setOpen({ proof, turnsOn });
  // A mailed code proves nothing more to a person with a password until an organization asks for one.
  const turnOnBy = (way: Way) => () => (asked?.isShown || !awaiting ? void finish(true) : prove(way, true));
  const isStrong = asked?.rule === 'strong';
  const addPasskey = { ...text.passkey, busy: passkey.busy, run: () => void passkey.add() };
  const spares = [
    {
      act: recoveryCodeText.make,
      hint: waysInText.recoveryCodesLead,
      busy: renewal.busy,
      run: () => void makeCodes(),
    },
    addPasskey,
  ];
  const ways = [
    addPasskey,
    waysIn?.app
      ? { ...text.app, act: text.appAgain, busy: twoStep.busy, run: turnOnBy('app') }
      : { ...text.app, busy: begin.busy, run: () => void setUpApp() },
    ...(isStrong || waysIn?.app ? [] : [{ ...text.mail, busy: twoStep.busy, run: turnOnBy('mail') }]),
  ];
  return (
    <>
      {isReady && (
        <>
          <div>
            <Button kind="primary" onClick={() => prove(undefined, false)}>
              {confirm}
            </Button>
          </div>
          <OtherWays
            ways={(proofs?.ways ?? [])
              .slice(1)
              .map((way) => ({ name: stepUpText.proofs[way], choose: () => prove(way, false) }))}
          />
          {proofs && <Lost helper={proofs.helper} />}
        </>
      )}
      {(needsSpare || (asked && !isReady)) && (
        <ul className={styles.ways}>
          {(needsSpare ? spares : ways).map(({ act, hint, busy, run }, at) => (
            <li key={act}>
              <Button kind={at === 0 ? 'primary' : 'plain'} busy={busy} onClick={run}>
                {act}
              </Button>
              <p>{hint}</p>
            </li>
          ))}
        </ul>
      )}
      {passkey.problem && (
        <Notice kind="warning" announce>
          {passkey.problem}
        </Notice>
      )}
      {open && 'proof' in open && (
        <ProofDialog
          first={open.proof}
          step={asked?.rule}
          onClose={close}
          onProven={() => void finish(open.turnsOn)}
        />
      )}
      {open && 'setup' in open && (
        <SetUpDialog
          setup={open.setup}
          isReplacement={false}
          onClose={close}
          onDone={(codes) => {
            close();
            if (codes) setOpen({ codes });
            else onMet();
          }}
        />
      )}
      {open && 'codes' in open && (
        <CodesDialog
          codes={open.codes}
          user={user}
          onClose={() => {
            close();
            onMet();
          }}
        />
      )}
    </>
  );
}
