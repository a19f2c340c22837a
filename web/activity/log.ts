import type { AuditLog } from '#contract/activity/calls.ts';
import type { Page } from './activity-queries.ts';
import { dayOf } from './days.ts';

export type Names = Readonly<Record<string, string>>;

export type Line =
  | { readonly key: string; readonly day: string }
  | { readonly key: number; readonly row: AuditLog; readonly isOpen?: boolean };

export type Log = {
  readonly lines: readonly Line[];
  readonly names: Names;
  readonly roles: Names;
  /** Some row shows a location, so the page must credit the data source. */
  readonly showsLocations: boolean;
};

const emptyLog: Log = { lines: [], names: {}, roles: {}, showsLocations: false };

/** Keeps the identity of the names if none is new, so that rows do not render again. */
const withNames = (names: Names, more: Names): Names =>
  Object.keys(more).every((id) => names[id] === more[id]) ? names : { ...names, ...more };

/** Reads each page once, so that the thousandth page costs as much as the second. */
export function logReader(zone: string | null) {
  const dayAt = dayOf(zone);
  let current: { readonly pages: readonly Page[]; readonly log: Log } = { pages: [], log: emptyLog };

  function withPage(before: Log, { audit, userNames, roleInfo }: Page): Log {
    const last = before.lines.at(-1);
    let day = last && 'row' in last ? dayAt(last.row.createdAt) : '';
    const lines: Line[] = [];
    for (const row of audit) {
      const rowDay = dayAt(row.createdAt);
      if (rowDay !== day) lines.push({ key: rowDay, day: rowDay });
      lines.push({ key: row.id, row });
      day = rowDay;
    }
    return {
      lines: before.lines.concat(lines),
      names: withNames(before.names, userNames),
      roles: withNames(before.roles, roleInfo),
      showsLocations:
        before.showsLocations ||
        audit.some(({ information, origin }) => origin !== undefined || 'location' in information),
    };
  }

  return (pages: readonly Page[]): Log => {
    const isContinued = current.pages.every((page, at) => page === pages[at]);
    const [log, rest] = isContinued ? [current.log, pages.slice(current.pages.length)] : [emptyLog, pages];
    current = { pages, log: rest.reduce(withPage, log) };
    return current.log;
  };
}

/** Marks the rows that show their changes. Other lines keep their identity, so that they do not render again. */
export const withOpenRows = (lines: readonly Line[], openIds: ReadonlySet<number>): readonly Line[] =>
  openIds.size === 0
    ? lines
    : lines.map((line) => ('row' in line && openIds.has(line.key) ? { ...line, isOpen: true } : line));
