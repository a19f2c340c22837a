import { type FormEvent, useLayoutEffect, useRef, useState } from 'react';
import { mailedFieldText } from '#words/mailed-field.ts';
import type { CallError } from '#web/lib/call.ts';
import { codeDigits, isWholeCode } from '#web/ui/code-digits.ts';

export function useCode(send: (code: string) => void) {
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);

  const say = (message: string) => {
    setProblem(message);
    field.current?.focus();
  };
  const change = (typed: string) => {
    setCode(typed);
    setProblem(undefined);
    if (isWholeCode(typed) && typed !== code) send(typed);
  };
  return {
    props: { ref: field, value: code, error: problem, onChange: change },
    form: {
      noValidate: true,
      onSubmit: (event: FormEvent) => {
        event.preventDefault();
        // The field may have been filled without an event.
        const typed = codeDigits(field.current?.value ?? '');
        setCode(typed);
        if (isWholeCode(typed)) send(typed);
        else say(mailedFieldText.otp);
      },
    },
    refused: (failure: CallError) => {
      setCode('');
      say(failure.message);
    },
  };
}
