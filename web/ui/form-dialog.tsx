import { type ComponentProps, type ReactNode, useId } from 'react';
import { Dialog, DialogButtons } from './dialog.tsx';
type Props = Omit<ComponentProps<typeof Dialog>, 'busy' | 'footer' | 'onSubmit'> & {
  form: { props: ComponentProps<'form'>; busy: boolean };
  act: string;
  cancel?: string | null;
  above?: ReactNode;
  below?: ReactNode;
};

export function FormDialog({ form, act, cancel, above, below, children, ...dialog }: Props) {
  const id = useId();
  const buttons = { act, cancel, busy: form.busy, onCancel: dialog.onClose };
  return (
    <Dialog {...dialog} busy={form.busy} footer={<DialogButtons {...buttons} form={id} />}>
      {above}
      <form
        id={id}
        {...form.props}
        onSubmit={(event) => {
          // React would bubble the event to a form around this dialog and submit that too.
          event.stopPropagation();
          form.props.onSubmit?.(event);
        }}
      >
        {children}
      </form>
      {below}
    </Dialog>
  );
}
