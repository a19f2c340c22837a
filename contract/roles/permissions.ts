import { applicationText } from '#words/application.ts';

/** The services and modules with rights. A new module needs only an entry here, because rights are rows. */
export const services = {
  sign: {
    get label() {
      return applicationText.sign;
    },
    modules: { 1: 'Document', 2: 'Template', 3: 'Sign For Others', 4: 'Sign My Self', 5: 'Contacts' },
  },
} as const;

export type Service = keyof typeof services;

/** The four rights in the order of the table. The pages call `update` Edit. */
export const rights = ['create', 'read', 'update', 'delete'] as const;
export type Right = (typeof rights)[number];
export type ModuleRights = Record<Right, boolean>;

export const noRights: ModuleRights = { create: false, read: false, update: false, delete: false };
export const allRights: ModuleRights = { create: true, read: true, update: true, delete: true };

/** The rights of a role as `service.module.right`. Built-in roles hold all rights without rows. */
export type Rights = 'all' | ReadonlySet<string>;

export const everyRight: readonly string[] = Object.entries(services).flatMap(([service, { modules }]) =>
  Object.keys(modules).flatMap((module) => rights.map((right) => `${service}.${module}.${right}`)),
);

/** Ticking create, update or delete also ticks read. Unticking read clears all four (specification section 5). */
export function tick(current: ModuleRights, right: Right, on: boolean): ModuleRights {
  if (right === 'read' && !on) return noRights;
  return withRead({ ...current, [right]: on });
}

/** Read is on if any other right is. The server applies this too, because clients may send anything. */
export const withRead = (current: ModuleRights): ModuleRights => ({
  ...current,
  read: current.read || current.create || current.update || current.delete,
});

export const tickColumn = <K extends string>(
  table: Record<K, ModuleRights>,
  right: Right,
  on: boolean,
): Record<K, ModuleRights> =>
  Object.fromEntries(
    Object.entries<ModuleRights>(table).map(([module, current]) => [module, tick(current, right, on)]),
  ) as Record<K, ModuleRights>;

export function tickState(values: readonly boolean[]): 'all' | 'none' | 'some' {
  if (values.every(Boolean)) return 'all';
  return values.some(Boolean) ? 'some' : 'none';
}
