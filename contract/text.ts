/** The placeholders of a template: `'Hello {name}'` has `'name'`. */
type Placeholder<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;

type Values<T extends string> = [Placeholder<T>] extends [never]
  ? []
  : [values: Record<Placeholder<T>, string | number>];

/**
 * Fills the `{placeholders}` of a text; a missing or misspelled one does not compile.
 * The catalogue itself lies in `contract/text/`, one file a feature, so that a page loads only its own words.
 */
export function fill<const T extends string>(template: T, ...[values]: Values<T>): string {
  const known: Record<string, string | number> = values ?? {};
  return template.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(known[name] ?? placeholder));
}
