import type { ComponentProps, ReactNode } from 'react';
import { uiText } from '#words/ui.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { RefusalNotice, type FormParts } from './refusal-notice.tsx';

type Props = Omit<ComponentProps<typeof Dialog>, 'busy' | 'footer' | 'form'> & {
  form: FormParts;
  act: string;
  kind?: 'primary' | 'danger';
  disabled?: boolean;
  /** Null without such a button, because closing the dialog does the same. */
  cancel?: string | null;
};

export function FormDialog(props: Props) {
  const { form, act, kind = 'primary', disabled, cancel = uiText.cancel, children, ...dialog } = props;
  const buttons: ReactNode = (
    <>
      {cancel !== null && (
        <Button onClick={dialog.onClose} disabled={form.busy}>
          {cancel}
        </Button>
      )}
      <Button kind={kind} type="submit" busy={form.busy} disabled={disabled}>
        {act}
      </Button>
    </>
  );
  return (
    <Dialog {...dialog} form={form.props} busy={form.busy} footer={buttons}>
      <RefusalNotice form={form} />
      {children}
    </Dialog>
  );
}
