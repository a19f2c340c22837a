/** The placeholders of a template: `'Hello {name}'` has `'name'`. */
export type Placeholder<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;

type Values<T extends string> = [Placeholder<T>] extends [never]
  ? []
  : [values: Record<Placeholder<T>, string | number>];

const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;
/** Plain text has no `bdi` element, so invisible characters isolate the direction of a value. */
const isolate = (value: string) => (RIGHT_TO_LEFT.test(value) ? `\u2068${value}\u2069` : value);

/**
 * Fills the `{placeholders}` of a text. A missing or misspelled value does not compile. The texts are in
 * `contract/text/`, one file per feature, so that a page loads only its own words.
 */
export function fill<const T extends string>(template: T, ...[values]: Values<T>): string {
  const byName: Record<string, string | number> = values ?? {};
  return template.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    isolate(String(byName[name] ?? placeholder)),
  );
}
