import { fold } from '#contract/folded.ts';
import { plain } from '#contract/split-by-bytes/field-parts.ts';

export interface Option {
  readonly value: string;
  readonly label: string;
  readonly group?: string;
  /** Other names that match, such as the city of a time zone. */
  readonly alsoFoundBy?: readonly string[];
}
export type OptionGroup = { readonly value: string; readonly items: readonly Option[] };

const shape = (text: string) =>
  fold(plain(text)).replace(/[ァ-ヶ]/g, (katakana) => String.fromCharCode(katakana.charCodeAt(0) - 0x60));

/** Where a text stands in a name: 0 at its beginning, 1 at the beginning of another word, 2 nowhere. */
function placeIn(name: string, text: string): 0 | 1 | 2 {
  if (name.startsWith(text)) return 0;
  for (let at = name.indexOf(text, 1); at !== -1; at = name.indexOf(text, at + 1))
    if (!/[\p{L}\p{M}\p{N}]/u.test(name[at - 1] ?? '')) return 1;
  return 2;
}

/** The options of which a word begins with the text. Those whose label begins with it come first. */
export function optionsFor(options: readonly Option[], typed: string): readonly Option[] {
  const text = shape(typed);
  if (text === '') return options;
  const placeOf = ({ label, alsoFoundBy = [] }: Option) => {
    const place = placeIn(shape(label), text);
    return place === 2 && alsoFoundBy.some((name) => placeIn(shape(name), text) < 2) ? 1 : place;
  };
  const places = options.map((option) => [placeOf(option), option] as const);
  return [0, 1].flatMap((wanted) => places.flatMap(([place, option]) => (place === wanted ? [option] : [])));
}

export function groupOptions(options: readonly Option[]): readonly Option[] | readonly OptionGroup[] {
  if (!options.some((option) => option.group !== undefined)) return options;
  const groups = Map.groupBy(options, (option) => option.group ?? '');
  return [...groups].map(([value, items]) => ({ value, items }));
}
