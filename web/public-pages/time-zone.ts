/** The browser's time zone, such as `Europe/Berlin`. Empty if missing or malformed. */
export function browserTimeZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions() as { timeZone?: string };
  return timeZone && /^[A-Za-z0-9_+/-]{1,64}$/.test(timeZone) ? timeZone : '';
}
