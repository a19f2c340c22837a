import { useEffect, useState } from 'react';
import type { Output } from '#contract/endpoint.ts';
import { members } from '#contract/members.ts';
import { signIn } from '#contract/sign-in.ts';
import { call, CallError } from '#web/lib/call.ts';

export type Invitation = Output<typeof members.invitation> & {
  /** The address of whoever is signed in, where that is somebody else; else nothing. */
  readonly own: string;
};
export type Dead = 'missing' | 'used' | 'expired' | 'failed';

async function read(digest: string): Promise<Invitation | Dead> {
  try {
    const invitation = await call(members.invitation, { digest });
    const person = invitation.state === 'other_account' ? await call(signIn.status, {}) : null;
    return { ...invitation, own: person?.email ?? '' };
  } catch (failure) {
    if (!(failure instanceof CallError)) throw failure;
    if (failure.code === 'digest_invalid') return 'used';
    return failure.code === 'digest_expired' ? 'expired' : 'failed';
  }
}

/** The invitation of a mailed link, or why there is none; nothing before it is known. Looking changes nothing. */
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
