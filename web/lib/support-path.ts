import type { CallError } from '#web/lib/call.ts';
import { asideTo } from '#web/lib/navigate.ts';

/** The support page, which says why an account is closed and until when, and hands on what the person came with. */
export function supportPath({ reason, until }: CallError) {
  const query = new URLSearchParams();
  if (reason) query.set('reason', reason);
  if (until) query.set('until', until);
  const path = asideTo('/support');
  return `${path}${path.includes('?') ? '&' : '?'}${query.toString()}`;
}
