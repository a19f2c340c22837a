import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import type { CallError } from '#web/lib/call.ts';
import { Notice } from '#web/ui/notice.tsx';

type Props = {
  form: { refusal: CallError | undefined; messages: object };
  /** A way out, such as a link. */
  action?: ReactNode;
};

/** Why a form was refused, above its fields. It takes the focus, unless a field is marked and has it. */
export function RefusalNotice({ form, action }: Props) {
  const { refusal, messages } = form;
  const element = useRef<HTMLDivElement>(null);
  // Only a new refusal moves the focus; a mark that goes while somebody types must not.
  const takeFocus = useEffectEvent(() => {
    if (Object.keys(messages).length === 0) element.current?.focus();
  });
  useEffect(() => {
    if (refusal) takeFocus();
  }, [refusal]);
  if (!refusal) return null;
  return (
    <div ref={element} tabIndex={-1}>
      <Notice kind="danger" action={action}>
        {refusal.message}
      </Notice>
    </div>
  );
}
