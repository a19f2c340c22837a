import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Output } from '#contract/endpoint.ts';
import { authenticator } from '#contract/sign-in/authenticator.ts';
import { stepUp } from '#contract/sign-in/step-up.ts';
import { passkeyOfferText } from '#words/passkey-offer.ts';
import { waysText as text } from '#words/ways.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { refetchSecondSteps, waysInQuery } from '#web/lib/second-steps.ts';
import { useCall } from '#web/lib/use-call.ts';
import type { SecondStepWaysProps } from '#web/organizations/second-step-card.tsx';
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
  | { proof: readonly Way[]; turnsOn: boolean }
  | { setup: Output<typeof authenticator.beginSetup> }
  | { codes: string[] };

/** The ways to meet an organization's rule here: to show a second step, or to set one up. */
export function SecondStepWays({ asked, confirm, onMet }: SecondStepWaysProps) {
  const { user, awaiting } = useSession();
  const client = useQueryClient();
  const { data: waysIn } = useQuery(waysInQuery);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const passkey = useNewPasskey(() => {
    showAlert({ kind: 'success', text: passkeyOfferText.added });
    onMet();
  });
  const begin = useCall(authenticator.beginSetup);
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
  const prove = (proof: readonly Way[], turnsOn: boolean) => setOpen({ proof, turnsOn });
  // A mailed code proves nothing more to a person with a password until an organization asks for one.
  const turnOnBy = (way: Way) => () => (asked?.isShown || !awaiting ? void finish(true) : prove([way], true));
  const isStrong = asked?.rule === 'strong';
  const ways = [
    { ...text.passkey, busy: passkey.busy, run: () => void passkey.add() },
    waysIn?.app
      ? { ...text.app, act: text.appAgain, busy: twoStep.busy, run: turnOnBy('app') }
      : { ...text.app, busy: begin.busy, run: () => void setUpApp() },
    ...(isStrong ? [] : [{ ...text.mail, busy: twoStep.busy, run: turnOnBy('mail') }]),
  ];
  return (
    <>
      {asked?.isReady && (
        <div>
          <Button
            kind="primary"
            onClick={() => prove(isStrong ? ['passkey', 'app'] : ['passkey', 'app', 'mail'], false)}
          >
            {confirm}
          </Button>
        </div>
      )}
      {asked && !asked.isReady && (
        <ul className={styles.ways}>
          {ways.map(({ act, hint, busy, run }, at) => (
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
        <ProofDialog accepted={open.proof} onClose={close} onProven={() => void finish(open.turnsOn)} />
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
