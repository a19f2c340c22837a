import { type Ref, useEffect, useEffectEvent } from 'react';
import { typedEmail } from '#web/lib/stored-text.ts';
import { addressInput, TextField, type TextFieldProps } from '#web/ui/field.tsx';
import { focusFirst } from '#web/ui/focus-first.ts';

type Props = {
  form: {
    values: { email: string };
    set: (name: 'email', value: string) => void;
    field: (name: 'email') => Pick<TextFieldProps, 'value' | 'onChange'> & { error: string | undefined };
  };
  label: string;
  /** `username` if the address identifies an account, so that browsers offer its password, or its passkey. */
  autoComplete: 'email' | 'username' | 'username webauthn';
  /** Starts with the address typed on the previous page of this tab. */
  recalls?: boolean;
  ref?: Ref<HTMLInputElement> | undefined;
};

export function EmailField({ form, recalls, ref = focusFirst, ...field }: Props) {
  // In an effect, because the server renders the first view without it.
  const recall = useEffectEvent(() => {
    const typed = recalls && form.values.email === '' && typedEmail.read();
    if (typed) form.set('email', typed);
  });
  useEffect(() => recall(), []);
  return <TextField {...addressInput} required ref={ref} {...field} {...form.field('email')} />;
}
