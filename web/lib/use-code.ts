import { useEffect, useRef, useState } from 'react';
import { OTP_CHARACTERS } from '#contract/limits.ts';
import { mailedFieldText } from '#contract/text/mailed-fields.ts';
import { fill } from '#contract/text.ts';
import type { CallError } from '#web/lib/call.ts';
import { isWholeCode } from '#web/ui/code-digits.ts';

/** A one-time code on its way in: sent as soon as it is whole; refused, it is cleared to be typed anew. */
export function useCode(send: (code: string) => void) {
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);

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
    /** For the `CodeField`. */
    props: { ref: field, value: code, error: problem, onChange: change },
    submit: () =>
      isWholeCode(code) ? send(code) : say(fill(mailedFieldText.otp, { count: OTP_CHARACTERS })),
    refused: (failure: CallError) => {
      setCode('');
      say(failure.message);
    },
  };
}
