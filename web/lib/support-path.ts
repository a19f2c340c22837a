import type { CallError } from '#web/lib/call.ts';

/** The support page, which says why an account is closed and until when. */
export function supportPath({ reason, until }: CallError) {
  const query = new URLSearchParams();
  if (reason) query.set('reason', reason);
  if (until) query.set('until', until);
  return `/support?${query.toString()}`;
}
