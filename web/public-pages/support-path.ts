import type { CallError } from '#web/lib/call.ts';
import { asideTo } from '#web/lib/navigate.ts';

/** The path of the support page with the reason and end of the closure, and the query to pass on. */
export function supportPath({ reason, until }: CallError) {
  const query = new URLSearchParams();
  if (reason) query.set('reason', reason);
  if (until) query.set('until', until);
  const path = asideTo('/support');
  return `${path}${path.includes('?') ? '&' : '?'}${query.toString()}`;
}
