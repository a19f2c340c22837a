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
} from '#contract/roles/permissions.ts';

export type Rights = Readonly<Record<string, ModuleRights>>;

/** A cell of the table. Row 0 and column 0 are the headers with their toggles. */
export type Cell = { readonly row: number; readonly column: number };

export const stateAt = (table: Rights, cell: Cell) => tickState(boxesAt(table, cell));

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

/** The table after a press on a cell. Partly ticked becomes ticked. Boxes outside `may` stay, if given. */
export function afterPress(table: Rights, cell: Cell, may?: Rights): Rights {
  const on = tickState(boxesAt(table, cell, may)) !== 'all';
  const after = setBoxes(table, cell, on);
  return may === undefined
    ? after
    : combine(table, (module, right) => (may[module]?.[right] ? after : table));
}

function setBoxes(table: Rights, cell: Cell, on: boolean): Rights {
  if (cell.row === 0) return tickColumn(table, rightAt(cell.column), on);
  const module = moduleAt(table, cell.row);
  const before = table[module] ?? noRights;
  if (cell.column === 0) return { ...table, [module]: on ? allRights : noRights };
  return { ...table, [module]: tick(before, rightAt(cell.column), on) };
}

/** A table that takes each box from the table that `from` names. Any other right includes read. */
const combine = (table: Rights, from: (module: string, right: Right) => Rights): Rights =>
  Object.fromEntries(
    Object.keys(table).map((module) => {
      const boxes = rights.map((right) => [right, from(module, right)[module]?.[right] ?? false] as const);
      return [module, withRead(Object.fromEntries(boxes) as ModuleRights)];
    }),
  );

export function isLocked(table: Rights, cell: Cell, may: Rights): boolean {
  const after = afterPress(table, cell, may);
  const [before, now] = [boxesAt(table, cell), boxesAt(after, cell)];
  return before.every((box, at) => box === now[at]);
}

/** The rights that another admin has stored, with the local changes on top. */
export const mergeChanges = (before: Rights, mine: Rights, now: Rights): Rights =>
  combine(now, (module, right) => (before[module]?.[right] === mine[module]?.[right] ? now : mine));

export const countChanges = (before: Rights, after: Rights): number =>
  Object.keys(after).reduce(
    (sum, module) =>
      sum + rights.filter((right) => before[module]?.[right] !== after[module]?.[right]).length,
    0,
  );

/** The cell that a key leads to. Undefined for other keys. */
export function cellAfterKey(from: Cell, key: string, ctrl: boolean, last: Cell): Cell | undefined {
  const { row, column } = from;
  const within = (cell: Cell) => (cell.row === 0 && cell.column === 0 ? from : cell);
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
