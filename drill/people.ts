import { pino } from 'pino';
import { PRODUCT_NAME } from '#contract/limits.ts';
import type { OrgId, RoleId, UserId } from '#contract/wire.ts';
import { readConfig } from '#server/config.ts';
import { transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { cookieName } from '#server/http/cookies.ts';
import { randomToken, sha256 } from '#server/keys.ts';
import { sealPassword } from '#server/passwords.ts';
import { openInstallation } from '#server/open.ts';
import { Refusal } from '#contract/errors.ts';
import { insertBuiltInRoles } from '#server/roles/data.ts';

export const PASSWORD = 'sturdy arch 42';

/** A person with an open session in an organization of the drill. */
export interface Person {
  readonly id: UserId;
  readonly email: string;
  readonly orgId: OrgId;
  readonly isFounder: boolean;
  /** Signs in again and again, so that the session below soon ends. */
  readonly isVisitor: boolean;
  readonly cookie: string;
  /** A role they may give to an invited person. */
  readonly roleId: RoleId;
  readonly superAdminRoleId: RoleId;
  readonly from: string;
}

/** Opens an installation beside its processes or, if its database is embedded, instead of them. */
export async function withDeps<T>(
  environment: Readonly<Record<string, string>>,
  use: (deps: Deps) => Promise<T>,
): Promise<T> {
  const log = pino({ level: 'silent' });
  const { deps, database } = await openInstallation(readConfig({ ...environment }), log);
  try {
    return await use(deps);
  } finally {
    await database.close();
  }
}

/** Every fourth person is a visitor. */
const VISITOR_EVERY = 4;
let count = 0;

/** An address in a different network for the nth person, as clients of a public portal have. */
export const networkOf = (n: number) => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;

/** As the calls would leave them, but without mails and log. The first `superAdmins` of each are Super Admins. */
export async function populate(
  deps: Deps,
  organizations: number,
  peopleEach: number,
  superAdmins = 1,
): Promise<Person[]> {
  const { sql, clock, passwords, config, keys } = deps;
  const now = clock.now();
  const cookie = cookieName('session', config.publicUrl.protocol === 'https:');
  const phc = await passwords.hash(PASSWORD, 'drill');
  if (phc instanceof Refusal) throw new Error('the password could not be hashed');
  const people: Person[] = [];
  for (let at = 0; at < organizations; at += 1) {
    people.push(
      ...(await transaction(sql, async (tx) => {
        const numbers = Array.from({ length: peopleEach }, () => (count += 1));
        const rows = numbers.map((n) => ({
          email: `person${n}.${process.pid}@northwind.example`,
          first_name: 'Ann',
          last_name: 'Bell',
          confirmed_at: now,
          created_at: now,
        }));
        const ids = await tx.insertInto('users').values(rows).returning('id').execute();
        const [founder] = ids;
        if (!founder) throw new Error('an organization needs somebody');
        const { id: orgId } = await tx
          .insertInto('organizations')
          .values({
            name: 'Northwind',
            url_name: `northwind-${process.pid}-${numbers[0]}`,
            application_name: PRODUCT_NAME,
            created_by: founder.id,
            created_at: now,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        const heads = new Set(ids.slice(0, superAdmins).map(({ id }) => id));
        const superAdmin = await insertBuiltInRoles(tx, orgId, founder.id, now);
        const sales = { name: 'Sales', name_key: 'sales', kind: 'custom', is_admin: false } as const;
        const { id: roleId } = await tx
          .insertInto('roles')
          .values({ ...sales, org_id: orgId, created_at: now })
          .returning('id')
          .executeTakeFirstOrThrow();
        const tokens = ids.map(() => randomToken());
        await tx
          .insertInto('passwords')
          .values(
            ids.map(({ id }) => ({ user_id: id, sealed_phc: sealPassword(keys, id, phc), changed_at: now })),
          )
          .execute();
        await tx
          .insertInto('memberships')
          .values(
            ids.map(({ id }) => ({
              org_id: orgId,
              user_id: id,
              role_id: heads.has(id) ? superAdmin : roleId,
              status: 2 as const,
              first_name: 'Ann',
              last_name: 'Bell',
              is_default: true,
              created_at: now,
            })),
          )
          .execute();
        const sessions = ids.map(({ id }, nth) => ({
          user_id: id,
          token_hash: sha256(tokens[nth] ?? ''),
          created_at: now,
          last_seen_at: now,
          authenticated_at: now,
          ip_address: networkOf(numbers[nth] ?? 0),
          user_agent: 'drill',
          location: 'Unknown',
        }));
        await tx.insertInto('sessions').values(sessions).execute();
        return ids.map(({ id }, nth) => ({
          id,
          email: rows[nth]?.email ?? '',
          orgId,
          isFounder: id === founder.id,
          isVisitor: nth > 0 && nth % VISITOR_EVERY === VISITOR_EVERY - 1,
          cookie: `${cookie}=${tokens[nth]}`,
          superAdminRoleId: superAdmin,
          roleId,
          from: networkOf(numbers[nth] ?? 0),
        }));
      })),
    );
  }
  return people;
}
