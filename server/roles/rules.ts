import { type Right, rights, withRead } from '#contract/permissions.ts';
import type { Permission } from '#contract/roles.ts';

/** Letters that look like one of "super admin" and are another. */
const lookAlikes = new Map([
  ...Array.from('аеімрѕԁ', (letter, at) => [letter, 'aeimpsd'.charAt(at)] as const),
  ...Array.from('αειμνρυı', (letter, at) => [letter, 'aeimnpui'.charAt(at)] as const),
]);

/**
 * A role's name folded, so that names which look or read alike are the same name: case, width, spaces, what can't be
 * seen, and letters borrowed from another alphabet do not count.
 */
export const nameKey = (name: string) =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\p{Default_Ignorable_Code_Point}\u2800]|(?<=i)\u0307/gu, '')
    .replace(/./gu, (letter) => lookAlikes.get(letter) ?? letter)
    .normalize('NFKC')
    .replace(/\s+/g, ' ')
    .trim();

/** The rows that rights are stored as. */
export const rowsOf = (held: Iterable<string>) =>
  [...held].map((key) => {
    const [service = '', module, action] = key.split('.');
    return { service, module: Number(module), action: action as Right };
  });

/** The rights that a table asks for, the read rule applied whatever a client sends. */
export const rightsIn = (permission: Permission): ReadonlySet<string> =>
  new Set(
    Object.entries(permission).flatMap(([service, modules]) =>
      Object.entries(modules).flatMap(([module, current]) => {
        const ruled = withRead(current);
        return rights.filter((right) => ruled[right]).map((right) => `${service}.${module}.${right}`);
      }),
    ),
  );

/** `{right: [before, after]}` of the rights that differ. */
export const changedRights = (before: ReadonlySet<string>, after: ReadonlySet<string>) =>
  Object.fromEntries(
    [...new Set([...before, ...after])]
      .map((right) => [right, [before.has(right), after.has(right)]] as const)
      .filter(([, [had, has]]) => had !== has),
  );
