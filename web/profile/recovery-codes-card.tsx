import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { RECOVERY_CODES } from '#contract/limits.ts';
import { recoveryCodes } from '#contract/sign-in/recovery-codes.ts';
import { recoveryCodeText as text } from '#contract/text/recovery-codes.ts';
import { fill } from '#contract/text.ts';
import type { User } from '#contract/profile/user.ts';
import { present } from '#web/lib/failures.ts';
import { momentsIn } from '#web/lib/moments.ts';
import { refetchSecondSteps } from '#web/lib/second-steps.ts';
import { useCall } from '#web/lib/use-call.ts';
import { Button } from '#web/ui/button.tsx';
import { latePopup } from '#web/ui/late.tsx';
import { LateConfirm } from '#web/ui/late-confirm.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { Card } from '#web/ui/sections.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { LockNote } from './lock-note.tsx';
import styles from './second-steps.module.css';
import { recoveryCodesQuery } from './second-step-queries.ts';

/** With so few codes left, the card warns. */
const FEW = 3;

const CodesDialog = latePopup(async () => (await import('./recovery-codes-dialog.tsx')).RecoveryCodesDialog);

export function RecoveryCodesCard({ user }: { user: User }) {
  const client = useQueryClient();
  const { data, isError, refetch } = useQuery(recoveryCodesQuery);
  const [codes, setCodes] = useState<string[]>();
  const [renewing, setRenewing] = useState(false);
  const { run, busy } = useCall(recoveryCodes.renew, {
    // Two-step sign-in was turned off elsewhere.
    not_allowed: (failure) => {
      present(failure);
      void refetchSecondSteps(client);
    },
  });
  const lockId = useId();
  const isLocked = !user.mfaEnabled;
  const make = async () => {
    const answer = await run({});
    if (!answer) return false;
    await refetchSecondSteps(client);
    setCodes(answer.codes);
    return true;
  };
  const isLoading = data === undefined;
  // While it loads, the foot already has its height.
  const button = !(isLoading && isError) && (
    <Button
      busy={busy}
      disabled={isLoading || isLocked}
      aria-describedby={isLocked ? lockId : undefined}
      onClick={() => (data?.left ? setRenewing(true) : void make())}
    >
      {data ? text.renew : text.make}
    </Button>
  );
  return (
    <Card foot={button}>
      {isError && isLoading ? (
        <LoadFailed onRetry={() => void refetch()} />
      ) : (
        <Left codes={data} zone={user.timeZone} isInUse={user.mfaEnabled} />
      )}
      {isLocked && <LockNote id={lockId}>{text.needsTwoStep}</LockNote>}
      {renewing && (
        <LateConfirm
          onClose={() => setRenewing(false)}
          title={text.renewTitle}
          act={text.renew}
          destructive
          onConfirm={make}
        >
          {text.renewEffect}
        </LateConfirm>
      )}
      {codes && <CodesDialog codes={codes} user={user} onClose={() => setCodes(undefined)} />}
    </Card>
  );
}

type LeftProps = {
  codes: { left: number; createdTime: Date } | null | undefined;
  zone: string | null;
  /** Two-step sign-in is on, so a sign-in may ask for a code. */
  isInUse: boolean;
};

function Left({ codes, zone, isInUse }: LeftProps) {
  if (codes === undefined)
    return (
      <div aria-busy="true">
        <Skeleton width="half" />
      </div>
    );
  if (!codes) return <p>{text.none}</p>;
  const { left, createdTime } = codes;
  const isFew = isInUse && left <= FEW;
  return (
    <>
      <div className={styles.state}>
        <Pill tone={!isInUse ? 'neutral' : isFew ? 'warn' : 'good'}>
          {fill(text.left, { left, count: RECOVERY_CODES })}
        </Pill>
        <span className={styles.hint}>
          {fill(text.made, { time: momentsIn(zone).momentWithin(createdTime) })}
        </span>
      </div>
      {isFew && <Notice kind="warning">{left === 0 ? text.gone : text.few}</Notice>}
    </>
  );
}
