import { plain } from '#contract/split-by-bytes/field-parts.ts';

export interface Option {
  readonly value: string;
  readonly label: string;
  readonly group?: string;
  /** Other names that match, such as the city of a time zone. */
  readonly alsoFoundBy?: readonly string[];
}
export interface OptionGroup {
  readonly value: string;
  readonly items: readonly Option[];
}

export function beginsWith(option: Option, typed: string): boolean {
  const start = plain(typed).toLowerCase();
  const names = [option.label, ...(option.alsoFoundBy ?? [])];
  return names.some((name) => plain(name).toLowerCase().startsWith(start));
}

export function groupOptions(options: readonly Option[]): readonly Option[] | readonly OptionGroup[] {
  if (!options.some((option) => option.group !== undefined)) return options;
  const groups = Map.groupBy(options, (option) => option.group ?? '');
  return [...groups].map(([value, items]) => ({ value, items }));
}
