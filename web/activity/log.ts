import type { AuditLog } from '#contract/activity.ts';
import type { Page } from './activity-queries.ts';
import { dayOf } from './days.ts';

export type Names = Readonly<Record<string, string>>;

/** A row of the log, or the heading of a day. */
export type Line =
  | { readonly key: string; readonly day: string }
  | { readonly key: number; readonly row: AuditLog; readonly isOpen?: boolean };

/** The rows of all pages with a heading before each day, and the names they need. */
export type Log = {
  readonly lines: readonly Line[];
  readonly names: Names;
  readonly roles: Names;
  /** Whether some row shows a location, because the data source then needs its credit. */
  readonly tellsPlaces: boolean;
};

const nothing: Log = { lines: [], names: {}, roles: {}, tellsPlaces: false };

/** Keeps the identity of the names if none is new, so that rows do not render again. */
const withNames = (known: Names, more: Names): Names =>
  Object.keys(more).every((id) => known[id] === more[id]) ? known : { ...known, ...more };

/** Reads pages incrementally, each once, so that the thousandth page costs as much as the second. */
export function logReader(zone: string | null) {
  const dayAt = dayOf(zone);
  let read: { readonly pages: readonly Page[]; readonly log: Log } = { pages: [], log: nothing };

  function withPage(before: Log, { audit, userNames, roleInfo }: Page): Log {
    const last = before.lines.at(-1);
    let day = last && 'row' in last ? dayAt(last.row.createdAt) : '';
    const lines: Line[] = [];
    for (const row of audit) {
      const next = dayAt(row.createdAt);
      if (next !== day) lines.push({ key: next, day: next });
      lines.push({ key: row.id, row });
      day = next;
    }
    return {
      lines: before.lines.concat(lines),
      names: withNames(before.names, userNames),
      roles: withNames(before.roles, roleInfo),
      tellsPlaces:
        before.tellsPlaces ||
        audit.some(({ information, origin }) => origin !== undefined || 'location' in information),
    };
  }

  return (pages: readonly Page[]): Log => {
    const goesOn = read.pages.every((page, at) => page === pages[at]);
    const [log, rest] = goesOn ? [read.log, pages.slice(read.pages.length)] : [nothing, pages];
    read = { pages, log: rest.reduce(withPage, log) };
    return read.log;
  };
}

/** Marks the open lines. Other lines keep their identity, so that they do not render again. */
export const unfolded = (lines: readonly Line[], open: ReadonlySet<number>): readonly Line[] =>
  open.size === 0
    ? lines
    : lines.map((line) => ('row' in line && open.has(line.key) ? { ...line, isOpen: true } : line));
