import {
  allRights,
  type ModuleRights,
  noRights,
  type Right,
  rights,
  tick,
  tickColumn,
  tickState,
  withRead,
} from '#contract/permissions.ts';

/** The rights of a role in one service, by module. */
export type Rights = Readonly<Record<string, ModuleRights>>;

/** A cell of the table. Row 0 and column 0 are the headers with their toggles. */
export type Cell = { readonly row: number; readonly column: number };

/** The state of the box in a cell. */
export const stateAt = (table: Rights, place: Cell) => tickState(boxesAt(table, place));

/** The boxes that a cell controls, limited to those in `may` if given. */
function boxesAt(table: Rights, { row, column }: Cell, may?: Rights) {
  const modules = row === 0 ? Object.keys(table) : [moduleAt(table, row)];
  const columns = column === 0 ? rights : [rightAt(column)];
  return modules.flatMap((module) =>
    columns
      .filter((right) => may === undefined || may[module]?.[right])
      .map((right) => table[module]?.[right] ?? false),
  );
}

/** The table after a press on a cell. Partly ticked becomes ticked. If `may` is given, other boxes stay. */
export function pressed(table: Rights, place: Cell, may?: Rights): Rights {
  const on = tickState(boxesAt(table, place, may)) !== 'all';
  const after = put(table, place, on);
  return may === undefined ? after : mixed(table, (module, right) => (may[module]?.[right] ? after : table));
}

function put(table: Rights, place: Cell, on: boolean): Rights {
  if (place.row === 0) return tickColumn(table, rightAt(place.column), on);
  const module = moduleAt(table, place.row);
  const before = table[module] ?? noRights;
  if (place.column === 0) return { ...table, [module]: on ? allRights : noRights };
  return { ...table, [module]: tick(before, rightAt(place.column), on) };
}

/** A table composed box by box from others. Read stays on beside any other right. */
const mixed = (table: Rights, from: (module: string, right: Right) => Rights): Rights =>
  Object.fromEntries(
    Object.keys(table).map((module) => {
      const boxes = rights.map((right) => [right, from(module, right)[module]?.[right] ?? false] as const);
      return [module, withRead(Object.fromEntries(boxes) as ModuleRights)];
    }),
  );

/** Whether a press on the cell would change nothing. */
export function isLocked(table: Rights, place: Cell, may: Rights): boolean {
  const after = pressed(table, place, may);
  const [before, now] = [boxesAt(table, place), boxesAt(after, place)];
  return before.every((box, at) => box === now[at]);
}

/** The stored rights of another admin, with the local changes applied on top. */
export const carriedOver = (before: Rights, mine: Rights, now: Rights): Rights =>
  mixed(now, (module, right) => (before[module]?.[right] === mine[module]?.[right] ? now : mine));

/** The number of boxes that differ. */
export const countChanges = (before: Rights, after: Rights): number =>
  Object.keys(after).reduce(
    (sum, module) =>
      sum + rights.filter((right) => before[module]?.[right] !== after[module]?.[right]).length,
    0,
  );

/** The cell that a key leads to. Undefined for other keys. */
export function moved(from: Cell, key: string, ctrl: boolean, last: Cell): Cell | undefined {
  const { row, column } = from;
  const within = (place: Cell) => (place.row === 0 && place.column === 0 ? from : place);
  switch (key) {
    case 'ArrowUp':
      return within({ row: Math.max(0, row - 1), column });
    case 'ArrowDown':
      return { row: Math.min(last.row, row + 1), column };
    case 'ArrowLeft':
      return within({ row, column: Math.max(0, column - 1) });
    case 'ArrowRight':
      return { row, column: Math.min(last.column, column + 1) };
    case 'Home':
      return within({ row: ctrl ? 0 : row, column: ctrl ? 1 : 0 });
    case 'End':
      return { row: ctrl ? last.row : row, column: last.column };
    default:
      return undefined;
  }
}

const rightAt = (column: number): Right => rights[column - 1] ?? 'read';
const moduleAt = (table: Rights, row: number) => Object.keys(table)[row - 1] ?? '';
