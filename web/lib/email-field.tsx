import type { Ref } from 'react';
import { TextField, type TextFieldProps } from '#web/ui/field.tsx';

type Props = {
  form: {
    field: (name: 'email') => Pick<TextFieldProps, 'value' | 'onChange'> & { error: string | undefined };
  };
  label: string;
  /** `username` where it stands for an account, so that browsers offer the password with it. */
  autoComplete: 'email' | 'username';
  ref?: Ref<HTMLInputElement> | undefined;
};

/** The address that a form asks for. */
export const EmailField = ({ form, ...field }: Props) => (
  <TextField
    type="email"
    autoCapitalize="none"
    spellCheck={false}
    required
    {...field}
    {...form.field('email')}
  />
);
