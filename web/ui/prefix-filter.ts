export interface Option {
  readonly value: string;
  readonly label: string;
  /** Options of the same group stand together under its name. */
  readonly group?: string;
  /** Other beginnings it is found by, such as the city of a time zone. */
  readonly alsoFoundBy?: readonly string[];
}
export interface OptionGroup {
  readonly value: string;
  readonly items: readonly Option[];
}

/** Whether what was typed begins the option's label or another of its names, whatever the case. */
export function beginsWith(option: Option, typed: string): boolean {
  const start = typed.trim().toLowerCase();
  const names = [option.label, ...(option.alsoFoundBy ?? [])];
  return names.some((name) => name.toLowerCase().startsWith(start));
}

/** Puts options under their groups in the order of first appearance; without any group they stay a plain list. */
export function groupOptions(options: readonly Option[]): readonly Option[] | readonly OptionGroup[] {
  if (!options.some((option) => option.group !== undefined)) return options;
  const groups = Map.groupBy(options, (option) => option.group ?? '');
  return [...groups].map(([value, items]) => ({ value, items }));
}
