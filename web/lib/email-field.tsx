import { type Ref, useEffect, useEffectEvent } from 'react';
import { typedEmail } from '#web/lib/kept.ts';
import { TextField, type TextFieldProps } from '#web/ui/field.tsx';

type Props = {
  form: {
    values: { email: string };
    set: (name: 'email', value: string) => void;
    field: (name: 'email') => Pick<TextFieldProps, 'value' | 'onChange'> & { error: string | undefined };
  };
  label: string;
  /** `username` where it stands for an account, so that browsers offer the password with it. */
  autoComplete: 'email' | 'username';
  /** Begins with what was typed on the page before, in this tab. */
  recalls?: boolean;
  ref?: Ref<HTMLInputElement> | undefined;
};

/** The address that a form asks for. */
export function EmailField({ form, recalls, ...field }: Props) {
  // After the first look, which is drawn ahead without it.
  const recall = useEffectEvent(() => {
    const typed = recalls && form.values.email === '' && typedEmail.read();
    if (typed) form.set('email', typed);
  });
  useEffect(() => recall(), []);
  return (
    <TextField
      type="email"
      autoCapitalize="none"
      spellCheck={false}
      required
      {...field}
      {...form.field('email')}
    />
  );
}
