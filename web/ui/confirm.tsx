import { AlertDialog } from '@base-ui/react/alert-dialog';
import { useRef, useState, type ReactNode } from 'react';
import { lateUiText } from '#words/late-ui.ts';
import { uiText } from '#words/ui.ts';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import styles from './dialog.module.css';
import { whileBusy } from '../lib/while-busy.ts';

interface ConfirmProps {
  onClose: () => void;
  /** The act as a question: "Delete this device?" */
  title: string;
  children: ReactNode;
  /** The verb again, on the button: "Delete device" */
  act: string;
  /** The dialog closes afterwards. If it returns `false` or throws, the dialog stays open. */
  onConfirm?: () => Promise<boolean | void> | boolean | void;
  href?: string;
  destructive?: boolean;
  cancel?: string;
  /** Gets the focus afterwards, if the act removes the element that opened the dialog. */
  after?: HTMLElement | null;
}

export function Confirm(props: ConfirmProps) {
  const { onClose, title, children, act, onConfirm, href, after } = props;
  const { destructive = false, cancel = uiText.cancel } = props;
  const safe = useRef<HTMLButtonElement>(null);
  const isConfirmed = useRef(false);
  const [busy, setBusy] = useState(false);
  const close = () => {
    if (!busy) onClose();
  };
  async function confirm() {
    await whileBusy(setBusy, async () => {
      if ((await onConfirm?.()) === false) return;
      isConfirmed.current = true;
      onClose();
    });
  }
  return (
    <AlertDialog.Root open onOpenChange={(next) => !next && close()}>
      <AlertDialog.Portal>
        {/* Also covers a dialog that opened this one. */}
        <AlertDialog.Backdrop className={styles.veil} forceRender />
        <AlertDialog.Viewport
          className={styles.viewport}
          onClick={(event) => event.target === event.currentTarget && close()}
        >
          <AlertDialog.Popup
            className={classNames(styles.popup, styles.normal)}
            initialFocus={safe}
            finalFocus={() => (isConfirmed.current && after) || true}
          >
            <header className={styles.head}>
              <AlertDialog.Title className={styles.title}>{title}</AlertDialog.Title>
              <AlertDialog.Description className={styles.description} render={<div />}>
                {children}
              </AlertDialog.Description>
            </header>
            <div className={styles.footer}>
              <Button ref={safe} onClick={close} disabled={busy}>
                {cancel}
              </Button>
              {href === undefined ? (
                <Button kind={destructive ? 'danger' : 'primary'} busy={busy} onClick={() => void confirm()}>
                  {act}
                </Button>
              ) : (
                <Button kind="primary" href={href} target="_blank" rel="noreferrer" onClick={close}>
                  {act} <span className="visually-hidden">{lateUiText.opensNewTab}</span>
                </Button>
              )}
            </div>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
