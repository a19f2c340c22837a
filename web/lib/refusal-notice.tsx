import { useEffect, useRef, type ReactNode } from 'react';
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
  const marked = Object.keys(messages).length > 0;
  useEffect(() => {
    if (refusal && !marked) element.current?.focus();
    // Only a new refusal moves the focus; a mark that goes while somebody types must not.
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
