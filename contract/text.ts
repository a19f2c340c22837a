/** The placeholders of a template: `'Hello {name}'` has `'name'`. */
export type Placeholder<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;

type Values<T extends string> = [Placeholder<T>] extends [never]
  ? []
  : [values: Record<Placeholder<T>, string | number>];

/** Values that run from right to left. Plain text has no `bdi` element, so invisible characters isolate them. */
const RIGHT_TO_LEFT = /.*[\u0590-\u08FF\uD802\uD803\uD83A\uD83B\uFB1D-\uFEFC].*/s;

/**
 * Fills the `{placeholders}` of a text. A missing or misspelled value does not compile. The texts are in
 * `contract/text/`, one file per feature, so that a page loads only its own words.
 */
export function fill<const T extends string>(template: T, ...[values]: Values<T>): string {
  const byName: Record<string, string | number> = values ?? {};
  return template.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    String(byName[name] ?? placeholder).replace(RIGHT_TO_LEFT, '\u2068$&\u2069'),
  );
}
