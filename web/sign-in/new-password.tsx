import { type ComponentProps, type ReactNode, useState } from 'react';
import { leaveFor } from '#web/lib/navigate.ts';
import { PageHead } from '#web/lib/page-head.tsx';
import { useSessionCheck } from '#web/lib/session-check.ts';
import { type DeadLink, NewPasswordForm } from '#web/sign-in/new-password-form.tsx';

type Props = Pick<ComponentProps<typeof NewPasswordForm>, 'call' | 'submit' | 'onDone'> & {
  /** The mailed secret, if the visit brought one. */
  digest: string | undefined;
  heads: Record<'form' | DeadLink, ComponentProps<typeof PageHead>>;
  /** The ways on from a link that no longer serves. */
  waysOn: ReactNode;
};

/** The one screen of both new passwords, the first and the one after a reset. */
export function NewPassword({ digest, heads, waysOn, ...form }: Props) {
  const [dead, setDead] = useState<DeadLink>();
  return (
    <>
      <PageHead {...heads[dead ?? 'form']} />
      {digest === undefined && <WithoutDigest />}
      {digest !== undefined && !dead && <NewPasswordForm {...form} digest={digest} onDead={setDead} />}
      {dead && waysOn}
    </>
  );
}

/** Nothing can be set without the mailed secret: signed-in people land, others sign up. */
function WithoutDigest() {
  const toSignUp = () => void leaveFor('/signup', { replace: true });
  useSessionCheck({
    signedIn: () => void leaveFor('/', { replace: true }),
    signedOut: toSignUp,
    failed: toSignUp,
  });
  return null;
}
