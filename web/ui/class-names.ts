/** Joins the class names that hold; `false` and `undefined` are left out. */
export function classNames(...names: (string | false | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}
