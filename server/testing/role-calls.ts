import { services } from '#contract/permissions.ts';
import type { Person } from '#server/testing/people.ts';
import { newRole, type organizationOf, roleIdOf } from '#server/testing/staff.ts';
import type { TestApp } from '#server/testing/start-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

type Boss = Awaited<ReturnType<typeof organizationOf>>;
type Role = { id: number; name: string; members: number };

const bits = (create = 0, read = 0, update = 0, del = 0) => ({ create, read, update, delete: del });
const none = bits();
const nothing = Object.fromEntries(
  Object.keys(services.sign.modules).map((module) => [module, none] as const),
);

/** The calls about roles as an admin makes them. `here` is read at each call. */
export function roleCalls(setting: () => { app: TestApp; boss: Boss }) {
  const orgId = () => setting().boss.orgId;
  const by = (person?: Person) => (person ?? setting().boss).visitor;
  const read = (query = '', person?: Person) => by(person).get(`/api/role?org_id=${orgId()}${query}`);
  return {
    read,
    create: (body: object, who?: Person) => by(who).post('/api/role', { org_id: orgId(), ...body }),
    save: (body: object, who?: Person) => by(who).put('/api/role', { org_id: orgId(), ...body }),
    remove: (role_id: number, new_role_id: number, who?: Person) =>
      by(who).delete('/api/role', { org_id: orgId(), role_id, new_role_id }),
    /** Deletes as the page does, which has looked up the holders first. */
    removeKnowing: (role_id: number, new_role_id: number, holders: string, who?: Person) =>
      by(who).delete('/api/role', { org_id: orgId(), role_id, new_role_id, holders }),
    holdersOf: async (role_id: number, who?: Person) =>
      responseOf<{ members: number; holders: string }>(await read(`&role_id=${role_id}&holders=1`, who)),
    listed: async () => responseOf<Role[]>(await read()),
    add: (name: string, isAdmin = 0) => newRole(by(), orgId(), name, isAdmin),
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
