import type { AuditLog } from '#contract/activity/calls.ts';
import type { Page } from './activity-queries.ts';
import { dayOf } from './days.ts';

export type Names = Readonly<Record<string, string>>;
/** A row, or the heading over the rows of a day. */
export type Line =
  | { readonly key: string; readonly day: Date }
  | { readonly key: number; readonly row: AuditLog; readonly isOpen: boolean };

export function logOf(pages: readonly Page[], zone: string | null, openIds: readonly number[]) {
  const dayAt = dayOf(zone);
  const rows = pages.flatMap(({ audit }) => audit);
  const lines: Line[] = [];
  for (const [key, ofDay] of Map.groupBy(rows, ({ createdAt }) => dayAt(createdAt))) {
    lines.push({ key, day: ofDay[0]?.createdAt ?? new Date(key) });
    for (const row of ofDay) lines.push({ key: row.id, row, isOpen: openIds.includes(row.id) });
  }
  const ofAll = (names: 'userNames' | 'roleInfo') =>
    Object.assign({}, ...pages.map((page) => page[names])) as Names;
  return {
    lines,
    names: ofAll('userNames'),
    roles: ofAll('roleInfo'),
    /** Then the page must credit the data source. */
    showsLocations: rows.some(({ information, origin }) => origin !== undefined || 'location' in information),
  };
}
