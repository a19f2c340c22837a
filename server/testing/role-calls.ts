import type { Person } from '#server/testing/people.ts';
import { newRole, type organizationOf, roleIdOf } from '#server/testing/staff.ts';
import type { TestApp } from '#server/testing/start-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

type Boss = Awaited<ReturnType<typeof organizationOf>>;
type Role = { id: number; name: string; members: number };

const bits = (create = 0, read = 0, update = 0, del = 0) => ({ create, read, update, delete: del });
const none = bits();

/** The calls about roles as an admin makes them, in the organization that stands there when they are made. */
export function roleCalls(here: () => { app: TestApp; boss: Boss }) {
  const orgId = () => here().boss.orgId;
  const by = (who?: Person) => (who ?? here().boss).visitor;
  const read = (query = '', who?: Person) => by(who).get(`/api/role?org_id=${orgId()}${query}`);
  return {
    read,
    create: (body: object, who?: Person) => by(who).post('/api/role', { org_id: orgId(), ...body }),
    save: (body: object, who?: Person) => by(who).put('/api/role', { org_id: orgId(), ...body }),
    remove: (role_id: number, new_role_id: number, who?: Person) =>
      by(who).delete('/api/role', { org_id: orgId(), role_id, new_role_id }),
    listed: async () => responseOf<Role[]>(await read()),
    add: (name: string, isAdmin = 0) => newRole(by(), orgId(), name, isAdmin),
    builtIn: (name: string) => roleIdOf(here().app, orgId(), name),
    /** Whether a module may be created in, read, updated and deleted from. */
    bits,
    /** What a role may do, with nothing where no module is named. */
    table: (modules: Record<number, object> = {}) => ({
      sign: { 1: none, 2: none, 3: none, 4: none, 5: none, ...modules },
    }),
    none,
  };
}
