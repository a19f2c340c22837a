import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { useRef, useState, type ComponentProps, type ReactNode, type RefObject } from 'react';
import { dialogText } from '#words/dialog.ts';
import { uiText } from '#words/ui.ts';
import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';
import { Confirm } from './confirm.tsx';
import { classNames } from './class-names.ts';
import styles from './dialog.module.css';

interface DialogProps {
  /** Escape, the backdrop and the close button call this. */
  onClose: () => void;
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons, the safe one first. */
  footer?: ReactNode;
  /** Makes the whole dialog a form. The native submit is already prevented. */
  form?: ComponentProps<'form'>;
  size?: 'small' | 'normal' | 'wide';
  /** Gets the focus at first; by default the first field, or else the submit button, or else the dialog. */
  initialFocus?: RefObject<HTMLElement | null>;
  /** Something is being saved, so the dialog cannot close. */
  busy?: boolean;
  /** Something is filled in, so Escape and the backdrop ask before they close. */
  filled?: boolean;
  /** Saving what it shows has failed, so every way of closing asks. */
  unsaved?: boolean;
  question?: Record<keyof typeof dialogText, string>;
  /** Hides other open dialogs until it closes. They keep what is filled in. */
  alone?: boolean;
}

const firstField =
  'input:not([type="hidden"], [hidden], :disabled), select:not(:disabled), textarea:not(:disabled)';

export function Dialog(props: DialogProps) {
  const { onClose, title, description, children, footer, form, initialFocus, busy } = props;
  const { size = 'normal', filled = false, unsaved = false, question = dialogText, alone = false } = props;
  const [asking, setAsking] = useState(false);
  const popup = useRef<HTMLDivElement>(null);
  // On touch the dialog itself gets the focus, because a keyboard would cover it.
  const firstFocus = (how: string) => {
    const find = (selector: string) => popup.current?.querySelector<HTMLElement>(selector);
    return how === 'touch' || (find(firstField) ?? find('[type="submit"]') ?? popup.current);
  };

  const content = (
    <>
      {children && (
        <div className={styles.body} tabIndex={-1}>
          {children}
        </div>
      )}
      {footer && <div className={styles.footer}>{footer}</div>}
    </>
  );
  return (
    <Base.Root
      open
      onOpenChange={(next, { reason }) => {
        if (next || busy) return;
        if (unsaved || (filled && (reason === 'escape-key' || reason === 'outside-press'))) setAsking(true);
        else onClose();
      }}
    >
      <Base.Portal>
        <Base.Backdrop className={classNames(styles.veil, alone && styles.alone)} />
        <Base.Viewport className={classNames(styles.viewport, alone && styles.alone)}>
          <Base.Popup
            ref={popup}
            className={classNames(styles.popup, styles[size])}
            initialFocus={initialFocus ?? firstFocus}
          >
            <header className={styles.head}>
              <Base.Title className={styles.title}>{title}</Base.Title>
              <Base.Close disabled={busy} render={<IconButton name={uiText.close} icon={<X />} />} />
              {description && (
                <Base.Description className={styles.description}>{description}</Base.Description>
              )}
            </header>
            {form ? (
              <form
                noValidate
                {...form}
                className={styles.form}
                onSubmit={(event) => {
                  event.preventDefault();
                  // React would bubble the event to a form around this dialog and submit that too.
                  event.stopPropagation();
                  form.onSubmit?.(event);
                }}
              >
                {content}
              </form>
            ) : (
              content
            )}
            {asking && (filled || unsaved) && (
              <Confirm
                onClose={() => setAsking(false)}
                onConfirm={onClose}
                title={question.discardTitle}
                act={question.discard}
                cancel={question.keep}
                destructive
              >
                {question.discardEffect}
              </Confirm>
            )}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}

export const DialogDone = ({ children }: { children: string }) => (
  <Base.Close render={<Button kind="primary">{children}</Button>} />
);
