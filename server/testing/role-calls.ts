import { services } from '#contract/roles/permissions.ts';
import type { Person } from './people.ts';
import { newRole, type organizationOf, roleIdOf } from './staff.ts';
import type { TestApp } from './start-app.ts';
import { responseOf } from './visitor.ts';

type Boss = Awaited<ReturnType<typeof organizationOf>>;
type Role = { id: number; name: string; members: number };

const bits = (create = 0, read = 0, update = 0, del = 0) => ({ create, read, update, delete: del });
const none = bits();
const nothing = Object.fromEntries(
  Object.keys(services.sign.modules).map((module) => [module, none] as const),
);

/** The calls about roles, by default as the boss. `setting` is read at each call, because tests change it. */
export function roleCalls(setting: () => { app: TestApp; boss: Boss }) {
  const orgId = () => setting().boss.orgId;
  const visitorOf = (person?: Person) => (person ?? setting().boss).visitor;
  const read = (query = '', person?: Person) => visitorOf(person).get(`/api/role?org_id=${orgId()}${query}`);
  return {
    read,
    create: (body: object, person?: Person) =>
      visitorOf(person).post('/api/role', { org_id: orgId(), ...body }),
    save: (body: object, person?: Person) => visitorOf(person).put('/api/role', { org_id: orgId(), ...body }),
    remove: (role_id: number, new_role_id: number, person?: Person) =>
      visitorOf(person).delete('/api/role', { org_id: orgId(), role_id, new_role_id }),
    /** Deletes as the page does, with the holders that it has looked up. */
    removeKnowing: (role_id: number, new_role_id: number, holders: string, person?: Person) =>
      visitorOf(person).delete('/api/role', { org_id: orgId(), role_id, new_role_id, holders }),
    holdersOf: async (role_id: number, person?: Person) =>
      responseOf<{ members: number; holders: string }>(await read(`&role_id=${role_id}&holders=1`, person)),
    listed: async () => responseOf<Role[]>(await read()),
    add: (name: string, isAdmin = 0) => newRole(visitorOf(), orgId(), name, isAdmin),
    builtIn: (name: string) => roleIdOf(setting().app, orgId(), name),
    /** The create, read, update and delete rights of a module. */
    bits,
    /** A rights table with nothing for the modules that are not named. */
    table: (modules: Record<number, object> = {}) => ({
      sign: { ...nothing, ...modules },
    }),
    none,
  };
}
