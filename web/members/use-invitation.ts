import { useEffect, useState } from 'react';
import type { Output } from '#contract/endpoint.ts';
import { members } from '#contract/members/calls.ts';
import { signIn } from '#contract/sign-in/calls.ts';
import { actFor, call, CallError } from '#web/lib/call.ts';
import type { Claims } from '#web/lib/use-call.ts';
import { showAlert } from '#web/lib/alert-store.ts';

export type Invitation = Output<typeof members.invitation> & {
  /** The address of the signed-in person if the invitation is for somebody else, or empty. */
  readonly ownEmail: string;
};
export type LinkProblem = 'missing' | 'used' | 'expired' | 'failed';

async function fetchInvitation(digest: string): Promise<Invitation | LinkProblem> {
  try {
    // These calls may find any person signed in; later calls act only for this person.
    actFor();
    const person = await call(signIn.status, {});
    actFor(person?.person ?? '');
    const invitation = await call(members.invitation, { digest });
    return { ...invitation, ownEmail: (invitation.state === 'other_account' && person?.email) || '' };
  } catch (failure) {
    if (!(failure instanceof CallError)) throw failure;
    if (failure.code === 'digest_invalid') return 'used';
    return failure.code === 'digest_expired' ? 'expired' : 'failed';
  }
}

/** If somebody signs in or out in another tab, fetch the invitation again for the current person. */
export const personChangedClaims = (reload: () => unknown): Claims => ({
  not_signed_in: reload,
  signed_in_as_another: ({ message }) => {
    showAlert({ kind: 'warning', text: message });
    reload();
  },
});

export function useInvitation(digest: string | undefined) {
  const [invitation, setInvitation] = useState<Invitation | LinkProblem | undefined>(
    digest === undefined ? 'missing' : undefined,
  );
  const reload = async () => {
    if (digest !== undefined) setInvitation(await fetchInvitation(digest));
  };
  useEffect(() => {
    if (digest !== undefined) void fetchInvitation(digest).then(setInvitation);
  }, [digest]);
  return { invitation, reload };
}
