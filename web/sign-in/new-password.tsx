import { type ComponentProps, type ReactNode, useEffect, useState } from 'react';
import { leaveFor } from '#web/lib/navigate.ts';
import { isLinkBroken } from '#web/public-pages/digest.ts';
import { PageHead } from '#web/public-pages/page-head.tsx';
import { useSessionCheck } from '#web/public-pages/session-check.ts';
import { recovery } from '#contract/sign-in/recovery.ts';
import { newPasswordText as text } from '#words/new-password.ts';
import { recoveryText } from '#words/recovery.ts';
import { call } from '#web/lib/call.ts';
import { useForm } from '#web/lib/form.ts';
import { PasswordHints } from '#web/public-pages/password-hints.tsx';
import { shownTerms, TermsLine } from '#web/public-pages/terms-line.tsx';
import { browserTimeZone } from '#web/public-pages/time-zone.ts';
import { PageForm } from '#web/public-pages/page-form.tsx';
import { TextField } from '#web/ui/field.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';

type DeadLink = 'used' | 'expired';
type FormProps = {
  call: typeof recovery.createPassword | typeof recovery.resetPassword;
  digest: string;
  /** The password is the first one, which begins the account. */
  isFirst: boolean;
  submit: string;
  onDead: (why: DeadLink) => void;
  onDone: () => Promise<void>;
};

type Props = Pick<FormProps, 'call' | 'isFirst' | 'submit' | 'onDone'> & {
  digest: string | undefined;
  heads: Record<'form' | 'missing' | DeadLink, ComponentProps<typeof PageHead>>;
  waysOn: ReactNode;
};

export function NewPassword({ digest, heads, waysOn, ...form }: Props) {
  const [deadLink, setDeadLink] = useState<'missing' | DeadLink | undefined>(() =>
    digest === undefined && isLinkBroken() ? 'missing' : undefined,
  );
  return (
    <>
      <PageHead {...heads[deadLink ?? 'form']} />
      {digest === undefined && !deadLink && <WithoutDigest />}
      {digest !== undefined && !deadLink && (
        <NewPasswordForm {...form} digest={digest} onDead={setDeadLink} />
      )}
      {deadLink && waysOn}
    </>
  );
}

/** Without a digest no password can be set. Signed-in people go to the area, others to sign-up. */
function WithoutDigest() {
  const toSignUp = () => void leaveFor('/signup', { replace: true });
  useSessionCheck({
    signedIn: () => void leaveFor('/', { replace: true }),
    signedOut: toSignUp,
    failed: toSignUp,
  });
  return null;
}

function NewPasswordForm({ call: choose, digest, isFirst, submit, onDead, onDone }: FormProps) {
  const form = useForm(choose, {
    initial: { password: '', repeat: '' },
    toInput: ({ password }) => ({
      password,
      digest,
      timeZone: browserTimeZone(),
      ...(isFirst && shownTerms),
    }),
    rules: ({ password, repeat }) => (repeat === password ? {} : { repeat: text.differ }),
    beside: { same_password: 'password' },
    above: ['too_many_requests', 'unavailable'],
    claims: {
      digest_invalid: () => onDead('used'),
      digest_expired: () => onDead('expired'),
    },
    onDone,
  });
  const [email, setEmail] = useState<string | null>(null);
  useEffect(() => {
    // Without an answer the form works as well. It says itself that the link is dead.
    call(recovery.passwordOwner, { digest }).then(
      (owner) => setEmail(owner.email),
      () => undefined,
    );
  }, [digest]);
  return (
    <PageForm form={form} act={submit}>
      {/* A password manager keeps the password under this name. */}
      {email !== null && (
        <TextField
          label={recoveryText.forgot.email}
          name="username"
          autoComplete="username"
          value={email}
          readOnly
        />
      )}
      <PasswordField
        label={text.password}
        {...form.field('password')}
        hint={<PasswordHints password={form.values.password} />}
        autoComplete="new-password"
        required
      />
      <PasswordField label={text.repeat} {...form.field('repeat')} autoComplete="new-password" required />
      {isFirst && <TermsLine />}
    </PageForm>
  );
}
