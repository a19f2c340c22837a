import { type Right, rights, withRead } from '#contract/roles/permissions.ts';
import type { Permission } from '#contract/roles/calls.ts';
import { inLatin } from '#contract/roles/look-alike-letters.ts';

/** Case, width, repeated spaces, invisible characters and look-alike letters do not count. */
export const nameKey = (name: string) =>
  inLatin(
    name
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[\p{Default_Ignorable_Code_Point}\u2800]|(?<=i)\u0307/gu, ''),
  )
    .normalize('NFKC')
    .replace(/\s+/g, ' ')
    .trim();

/** Splits rights such as `sign.1.read` into rows of `role_rights`. */
export const rowsOf = (keys: Iterable<string>) =>
  [...keys].map((key) => {
    const [service = '', module, action] = key.split('.');
    return { service, module: Number(module), action: action as Right };
  });

/** The rights after a table is saved: every right includes read, and modules not in the table keep theirs. */
export function rightsAfter(before: ReadonlySet<string>, permission: Permission): ReadonlySet<string> {
  const after = new Set(before);
  for (const [service, modules] of Object.entries(permission))
    for (const [module, current] of Object.entries(modules)) {
      const ruled = withRead(current);
      for (const right of rights) after[ruled[right] ? 'add' : 'delete'](`${service}.${module}.${right}`);
    }
  return after;
}

/** `{right: [before, after]}` of the rights that differ. */
export const changedRights = (before: ReadonlySet<string>, after: ReadonlySet<string>) =>
  Object.fromEntries(
    [...new Set([...before, ...after])]
      .map((right) => [right, [before.has(right), after.has(right)]] as const)
      .filter(([, [had, has]]) => had !== has),
  );
