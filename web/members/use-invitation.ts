import { useEffect, useState } from 'react';
import type { Output } from '#contract/endpoint.ts';
import { members } from '#contract/members.ts';
import { signIn } from '#contract/sign-in.ts';
import { actFor, call, CallError } from '#web/lib/call.ts';
import type { Claims } from '#web/lib/use-call.ts';
import { showAlert } from '#web/lib/alert-store.ts';

export type Invitation = Output<typeof members.invitation> & {
  /** The address of the signed-in person if the invitation is for somebody else, or empty. */
  readonly own: string;
};
export type Dead = 'missing' | 'used' | 'expired' | 'failed';

async function read(digest: string): Promise<Invitation | Dead> {
  try {
    // Read for the person who is signed in now. Later calls act only for them.
    actFor();
    const person = await call(signIn.status, {});
    actFor(person?.person ?? '');
    const invitation = await call(members.invitation, { digest });
    return { ...invitation, own: (invitation.state === 'other_account' && person?.email) || '' };
  } catch (failure) {
    if (!(failure instanceof CallError)) throw failure;
    if (failure.code === 'digest_invalid') return 'used';
    return failure.code === 'digest_expired' ? 'expired' : 'failed';
  }
}

/** If somebody signs in or out in another tab, fetch the invitation again for the current person. */
export const changedHands = (look: () => unknown): Claims => ({
  not_signed_in: look,
  signed_in_as_another: ({ message }) => {
    showAlert({ kind: 'warning', text: message });
    look();
  },
});

/**
 * The invitation of a mailed link, or why there is none. Undefined while it loads. Reading changes nothing.
 */
export function useInvitation(digest: string | undefined) {
  const [found, setFound] = useState<Invitation | Dead | undefined>(
    digest === undefined ? 'missing' : undefined,
  );
  const look = async () => {
    if (digest !== undefined) setFound(await read(digest));
  };
  useEffect(() => {
    if (digest !== undefined) void read(digest).then(setFound);
  }, [digest]);
  return { found, look };
}
