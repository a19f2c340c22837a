import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { Output } from '#contract/endpoint.ts';
import { authenticator } from '#contract/sign-in/authenticator.ts';
import { authenticatorText as text } from '#contract/text/authenticator.ts';
import { authenticatorDialogText as dialogText } from '#contract/text/authenticator-dialogs.ts';
import { fill } from '#contract/text.ts';
import type { User } from '#contract/profile/user.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { momentsIn } from '#web/lib/moments.ts';
import { refetchSecondSteps, useGone } from '#web/lib/second-steps.ts';
import { useCall } from '#web/lib/use-call.ts';
import { Button } from '#web/ui/button.tsx';
import { latePopup } from '#web/ui/late.tsx';
import { LateConfirm } from '#web/ui/late-confirm.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { Card } from '#web/ui/sections.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { LockNote } from './lock-note.tsx';
import styles from './second-steps.module.css';
import { appQuery, locksQuery } from './second-step-queries.ts';

type App = Output<typeof authenticator.app>;

const SetUpDialog = latePopup(async () => (await import('./set-up-app-dialog.tsx')).SetUpAppDialog);
const CodesDialog = latePopup(async () => (await import('./recovery-codes-dialog.tsx')).RecoveryCodesDialog);

export function AuthenticatorCard({ user }: { user: User }) {
  const { data, isError, refetch } = useQuery(appQuery);
  const { data: locks } = useQuery(locksQuery);
  const begin = useCall(authenticator.beginSetup);
  const [setup, setSetup] = useState<Output<typeof authenticator.beginSetup>>();
  const [codes, setCodes] = useState<string[]>();
  const [removing, setRemoving] = useState(false);
  const [firstButton, setFirstButton] = useState<HTMLElement | null>(null);
  const lockId = useId();
  const isLocked = Boolean(data && locks?.app);
  const client = useQueryClient();
  const onGone = useGone(() => setRemoving(false));
  const removal = useCall(authenticator.removeApp, { not_found: onGone, second_step_needed: onGone });
  const remove = async () => {
    if (!(await removal.run({}))) return false;
    await refetchSecondSteps(client);
    showAlert({ kind: 'success', about: 'two-step', text: dialogText.removed });
    return true;
  };
  const open = async () => setSetup(await begin.run({}));
  const close = () => setSetup(undefined);
  const isLoading = data === undefined;
  // While it loads, the foot already has its height.
  const buttons = !(isLoading && isError) && (
    <>
      <Button
        ref={setFirstButton}
        aria-label={data ? text.replaceName : undefined}
        busy={begin.busy}
        disabled={isLoading}
        onClick={() => void open()}
      >
        {data ? text.replace : text.setUp}
      </Button>
      {data && (
        <Button
          kind="danger-plain"
          aria-label={text.removeName}
          disabled={isLocked}
          aria-describedby={isLocked ? lockId : undefined}
          onClick={() => setRemoving(true)}
        >
          {text.remove}
        </Button>
      )}
    </>
  );
  return (
    <Card foot={buttons}>
      {isError && isLoading ? (
        <LoadFailed onRetry={() => void refetch()} />
      ) : (
        <AppState app={data} zone={user.timeZone} />
      )}
      {isLocked && <LockNote id={lockId}>{text.locked}</LockNote>}
      {setup && (
        <SetUpDialog
          setup={setup}
          isReplacement={Boolean(data)}
          onClose={close}
          onDone={(recoveryCodes) => {
            close();
            setCodes(recoveryCodes ?? undefined);
          }}
        />
      )}
      {removing && (
        <LateConfirm
          onClose={() => setRemoving(false)}
          title={dialogText.removeTitle}
          act={dialogText.removeAct}
          destructive
          after={firstButton}
          onConfirm={remove}
        >
          {dialogText.removeEffect}
        </LateConfirm>
      )}
      {codes && <CodesDialog codes={codes} user={user} onClose={() => setCodes(undefined)} />}
    </Card>
  );
}

function AppState({ app, zone }: { app: App | undefined; zone: string | null }) {
  if (app === undefined)
    return (
      <div aria-busy="true">
        <Skeleton shape="pill" />
        <Skeleton width="half" />
      </div>
    );
  if (!app)
    return (
      <>
        <div>
          <Pill>{text.off}</Pill>
        </div>
        <p>{text.hint}</p>
      </>
    );
  const { momentWithin } = momentsIn(zone);
  const added = momentWithin(app.createdTime);
  return (
    <div className={styles.state}>
      <Pill tone="good">{text.on}</Pill>
      <span className={styles.hint}>
        {app.lastUsedTime
          ? fill(text.used, { added, used: momentWithin(app.lastUsedTime) })
          : fill(text.unused, { added })}
      </span>
    </div>
  );
}
