import { type ComponentProps, type ReactNode, useEffectEvent, useLayoutEffect, useRef } from 'react';
import type { CallError } from '#web/lib/call.ts';
import { Notice } from './notice.tsx';

/** The form of `useForm`, or of a call without fields. */
export type FormParts = {
  props: ComponentProps<'form'>;
  busy: boolean;
  refusal?: CallError | undefined;
  messages?: object;
};

type Props = { form: FormParts; action?: ReactNode };

/** The reason why a form was refused, above its fields. It takes the focus unless a field is marked. */
export function RefusalNotice({ form: { refusal, messages }, action }: Props) {
  const element = useRef<HTMLDivElement>(null);
  // Only a new refusal moves the focus. A mark that disappears during typing must not.
  const takeFocus = useEffectEvent(() => {
    if (Object.keys(messages ?? {}).length === 0) element.current?.focus();
  });
  useLayoutEffect(() => {
    if (refusal) takeFocus();
  }, [refusal]);
  if (!refusal) return null;
  return (
    <div ref={element} tabIndex={-1}>
      <Notice kind={refusal.shown === 'warning' ? 'warning' : 'danger'} action={action} announce>
        {refusal.message}
      </Notice>
    </div>
  );
}
