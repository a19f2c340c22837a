import type { CallError } from '#web/lib/call.ts';
import { asideTo } from '#web/lib/navigate.ts';

export function supportPath({ reason, until }: CallError) {
  const query = new URLSearchParams();
  if (reason) query.set('reason', reason);
  if (until) query.set('until', until);
  const path = asideTo('/support');
  return `${path}${path.includes('?') ? '&' : '?'}${query.toString()}`;
}
