import { useQuery } from '@tanstack/react-query';
import { Fingerprint, MonitorSmartphone, Pencil, Trash2, Usb } from 'lucide-react';
import { useId, useState } from 'react';
import { PASSKEYS_PER_USER_MAX } from '#contract/limits.ts';
import type { Lock, Passkey } from '#contract/sign-in/passkeys.ts';
import { passkeyText as text } from '#contract/text/passkeys.ts';
import { fill } from '#contract/text.ts';
import { momentsIn } from '#web/lib/moments.ts';
import { useNewPasskey } from '#web/sign-in/use-new-passkey.ts';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { latePopup } from '#web/ui/late.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Card } from '#web/ui/sections.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { LockNote } from './lock-note.tsx';
import styles from './second-steps.module.css';
import { locksQuery, passkeysQuery } from './second-step-queries.ts';
import { Named } from '#web/ui/named.tsx';

const NameDialog = latePopup(async () => (await import('./passkey-dialogs.tsx')).NamePasskeyDialog);
const RemoveDialog = latePopup(async () => (await import('./passkey-dialogs.tsx')).RemovePasskeyDialog);

type Dialog = { act: 'name' | 'rename' | 'remove'; passkey: Passkey };

export function PasskeysCard({ zone }: { zone: string | null }) {
  const { data, isError, refetch } = useQuery(passkeysQuery);
  const { data: locks } = useQuery(locksQuery);
  const [dialog, setDialog] = useState<Dialog>();
  const { add, busy, problem } = useNewPasskey((passkey) => setDialog({ act: 'name', passkey }));
  const isFull = data?.length === PASSKEYS_PER_USER_MAX;
  const noteId = useId();
  const button = (
    <Button
      kind={data?.length === 0 ? 'primary' : 'plain'}
      busy={busy}
      disabled={isFull}
      aria-describedby={noteId}
      onClick={() => void add()}
    >
      {text.add}
    </Button>
  );
  const note = (
    <span id={noteId}>{fill(isFull ? text.full : text.limit, { count: PASSKEYS_PER_USER_MAX })}</span>
  );
  const close = () => setDialog(undefined);
  return (
    <Card note={note} foot={button}>
      {problem && (
        <Notice kind="warning" announce>
          {problem}
        </Notice>
      )}
      {isError && !data ? (
        <LoadFailed onRetry={() => void refetch()} />
      ) : (
        <Passkeys rows={data} lock={locks?.passkey ?? null} zone={zone} onAct={setDialog} />
      )}
      {dialog?.act === 'remove' && <RemoveDialog passkey={dialog.passkey} onClose={close} />}
      {dialog && dialog.act !== 'remove' && (
        <NameDialog passkey={dialog.passkey} isNew={dialog.act === 'name'} onClose={close} />
      )}
    </Card>
  );
}

type ListProps = {
  rows: Passkey[] | undefined;
  /** Why the only passkey can't be removed. */
  lock: Lock;
  zone: string | null;
  onAct: (dialog: Dialog) => void;
};

function Passkeys({ rows, lock, zone, onAct }: ListProps) {
  if (rows?.length === 0)
    return (
      <div>
        <p>{text.empty}</p>
        <p className={styles.hint}>{text.emptyHint}</p>
      </div>
    );
  return (
    <ul className={styles.list} aria-busy={!rows}>
      {rows?.map((passkey) => (
        <Row key={passkey.id} passkey={passkey} lock={lock} zone={zone} onAct={onAct} />
      )) ?? (
        <li className={styles.row}>
          <span className={styles.icon} />
          <div className={styles.about}>
            <Skeleton width="third" />
            <Skeleton width="half" />
          </div>
        </li>
      )}
    </ul>
  );
}

const icons = { synced: <Fingerprint />, device: <MonitorSmartphone />, 'security-key': <Usb /> };

function Row({ passkey, lock, zone, onAct }: Omit<ListProps, 'rows'> & { passkey: Passkey }) {
  const lockId = useId();
  const { momentWithin } = momentsIn(zone);
  const { provider, kind, createdTime, lastUsedTime } = passkey;
  const name = passkey.name ?? text.unnamed;
  const about = [...(provider === null || provider === name ? [] : [provider]), text.kinds[kind]].join(' · ');
  const added = momentWithin(createdTime);
  return (
    <li className={styles.row}>
      <span className={styles.icon}>{icons[kind]}</span>
      <div className={styles.about}>
        <strong>
          <Named>{name}</Named>
        </strong>
        <p className={styles.hint}>{about}</p>
        <p className={styles.hint}>
          {lastUsedTime
            ? fill(text.used, { added, used: momentWithin(lastUsedTime) })
            : fill(text.unused, { added })}
        </p>
        {lock && <LockNote id={lockId}>{text.locks[lock]}</LockNote>}
      </div>
      <div className={styles.acts}>
        <IconButton
          name={fill(text.rename, { name })}
          icon={<Pencil />}
          onClick={() => onAct({ act: 'rename', passkey })}
        />
        <IconButton
          name={fill(text.remove, { name })}
          icon={<Trash2 />}
          disabled={lock !== null}
          aria-describedby={lock ? lockId : undefined}
          onClick={() => onAct({ act: 'remove', passkey })}
        />
      </div>
    </li>
  );
}
