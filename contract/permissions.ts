import { applicationText } from '#contract/text/applications.ts';

/** The services and modules that rights are given for; a new module is one entry here, rights are rows. */
export const services = {
  sign: {
    label: applicationText.sign,
    modules: {
      1: 'Document',
      2: 'Template',
      3: 'Sign For Others',
      4: 'Sign My Self',
      5: 'Contacts',
    },
  },
} as const;

export type Service = keyof typeof services;

/** The four rights in the order the table shows them; `update` is called Edit on the screen. */
export const rights = ['create', 'read', 'update', 'delete'] as const;
export type Right = (typeof rights)[number];
export type ModuleRights = Record<Right, boolean>;

export const noRights: ModuleRights = { create: false, read: false, update: false, delete: false };
export const allRights: ModuleRights = { create: true, read: true, update: true, delete: true };

/** What a role may do, as `service.module.right`; built-in roles hold every right without rows. */
export type Rights = 'all' | ReadonlySet<string>;

/** Ticking create, update or delete ticks read too; unticking read clears all four (specification section 5). */
export function tick(current: ModuleRights, right: Right, on: boolean): ModuleRights {
  if (right === 'read' && !on) return noRights;
  return withRead({ ...current, [right]: on });
}

/** Read is on where any other right is: the same rule when stored, whatever a client sends. */
export const withRead = (current: ModuleRights): ModuleRights => ({
  ...current,
  read: current.read || current.create || current.update || current.delete,
});

/** A column header's toggle: the tick rule on every module at once. */
export const tickColumn = <K extends string>(
  table: Record<K, ModuleRights>,
  right: Right,
  on: boolean,
): Record<K, ModuleRights> =>
  Object.fromEntries(
    Object.entries<ModuleRights>(table).map(([module, current]) => [module, tick(current, right, on)]),
  ) as Record<K, ModuleRights>;

/** What a column header or row shows: all on, none, or some. */
export function tickState(values: readonly boolean[]): 'all' | 'none' | 'some' {
  if (values.every(Boolean)) return 'all';
  return values.some(Boolean) ? 'some' : 'none';
}
