import {
  allRights,
  type ModuleRights,
  noRights,
  type Right,
  rights,
  tick,
  tickColumn,
  tickState,
} from '#contract/permissions.ts';

/** What a role may do in one service, by module. */
export type Rights = Readonly<Record<string, ModuleRights>>;

/** A place in the table: row 0 heads the columns and column 0 the rows, as their toggles do. */
export type Place = { readonly row: number; readonly column: number };

/** What the box at a place shows. */
export function stateAt(table: Rights, { row, column }: Place) {
  const modules = row === 0 ? Object.keys(table) : [moduleAt(table, row)];
  const columns = column === 0 ? rights : [rightAt(column)];
  return tickState(modules.flatMap((module) => columns.map((right) => table[module]?.[right] ?? false)));
}

/** The table after the box at a place was pressed; partly ticked becomes ticked. */
export function pressed(table: Rights, place: Place): Rights {
  const on = stateAt(table, place) !== 'all';
  if (place.row === 0) return tickColumn(table, rightAt(place.column), on);
  const module = moduleAt(table, place.row);
  const before = table[module] ?? noRights;
  if (place.column === 0) return { ...table, [module]: on ? allRights : noRights };
  return { ...table, [module]: tick(before, rightAt(place.column), on) };
}

/** How many boxes differ. */
export const countChanges = (before: Rights, after: Rights): number =>
  Object.keys(after).reduce(
    (sum, module) =>
      sum + rights.filter((right) => before[module]?.[right] !== after[module]?.[right]).length,
    0,
  );

/** Where a key leads from a place in a table of so many rows and columns; undefined for keys of other use. */
export function moved(from: Place, key: string, ctrl: boolean, last: Place): Place | undefined {
  const { row, column } = from;
  const within = (place: Place) => (place.row === 0 && place.column === 0 ? from : place);
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
