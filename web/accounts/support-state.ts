const DAY_MS = 24 * 60 * 60 * 1000;

/** The time zone in the address, if the browser knows it. Days use it, as on the previous page. */
export function zoneIn(search: string): string | null {
  const zone = new URLSearchParams(search).get('zone');
  try {
    return zone ? new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone : null;
  } catch {
    return null;
  }
}

export type SupportState =
  | { kind: 'contact' }
  | { kind: 'deactivated'; until: Date | undefined; daysLeft: number }
  | { kind: 'erased' }
  | { kind: 'restricted'; until: Date | undefined }
  | { kind: 'unlocked' };

/** The state to explain, from the address that sign-in led to. Unreadable parts are ignored. */
export function supportState(search: string, now: Date): SupportState {
  const query = new URLSearchParams(search);
  const date = new Date(query.get('until') ?? '');
  const until = Number.isNaN(date.getTime()) ? undefined : date;
  const leftMs = until ? until.getTime() - now.getTime() : 0;
  const over = until !== undefined && leftMs <= 0;
  const kind = query.get('reason');
  if (kind === 'deactivated')
    return over ? { kind: 'erased' } : { kind, until, daysLeft: Math.ceil(leftMs / DAY_MS) };
  if (kind === 'restricted') return over ? { kind: 'unlocked' } : { kind, until };
  return { kind: 'contact' };
}
