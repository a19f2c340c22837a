import { type ComponentProps, type ReactNode, useState } from 'react';
import { leaveFor } from '#web/lib/navigate.ts';
import { isLinkBroken } from '#web/public-pages/digest.ts';
import { PageHead } from '#web/public-pages/page-head.tsx';
import { useSessionCheck } from '#web/public-pages/session-check.ts';
import { type DeadLink, NewPasswordForm } from '#web/sign-in/new-password-form.tsx';

type Props = Pick<ComponentProps<typeof NewPasswordForm>, 'call' | 'submit' | 'onDone'> & {
  /** The digest, if the visit has one. */
  digest: string | undefined;
  heads: Record<'form' | 'missing' | DeadLink, ComponentProps<typeof PageHead>>;
  /** Links to go on from a dead link. */
  waysOn: ReactNode;
};

/** The shared view of the first password and of a reset. */
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
