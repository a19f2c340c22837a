import { sql as raw } from 'kysely';
import type { FileId } from '#contract/split-by-bytes/area-wire.ts';
import { INVITATION_DAYS, PRODUCT_NAME } from '#contract/limits.ts';
import { MEMBER_STATUS, type MemberStatus } from '#contract/members/calls.ts';
import type { RoleId, UserId } from '#contract/wire.ts';
import { issueToken } from '#server/accounts/tokens/data.ts';
import { DAY_MS, fromNow } from '#server/clock.ts';
import { transaction } from '#server/db/connect.ts';
import { insertBuiltInRoles } from '#server/roles/data.ts';
import { openSession } from '#server/sessions/actions.ts';
import { openRequest, registerApplication } from './applications.ts';
import { tinyPng } from './icons.ts';
import { randomToken, seal, sha256 } from '#server/keys.ts';
import { addDelivery, addWebhook } from './webhooks.ts';
import { customRole, newEmail, type Person } from './people.ts';
import { insertRow } from './rows.ts';
import type { TestApp } from './start-app.ts';

const place = { ipAddress: '127.0.0.1', userAgent: 'test', location: 'Unknown' };
let counter = 0;

export type Worker = Person & { readonly id: UserId };

export async function somebody(
  app: TestApp,
  { confirmed = true, email = newEmail('worker') } = {},
): Promise<Worker> {
  const { deps } = app;
  const now = deps.clock.now();
  return transaction(deps.sql, async (tx) => {
    const row = { email, created_at: now, confirmed_at: confirmed ? now : null, first_name: 'Ann' };
    const { id } = await tx.insertInto('users').values(row).returning('id').executeTakeFirstOrThrow();
    const visitor = app.visitor();
    const { token } = await openSession(tx, deps, id, place);
    visitor.cookies.set('portico', token);
    return { visitor, email, id };
  });
}

export type Company = Awaited<ReturnType<typeof company>>;

export async function company(app: TestApp) {
  const { sql, clock } = app.deps;
  const now = clock.now();
  counter += 1;
  const { id: orgId } = await sql
    .insertInto('organizations')
    .values({
      name: 'Northwind',
      url_name: `company-${process.pid}-${counter}`,
      application_name: PRODUCT_NAME,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const maker = await somebody(app);
  const superAdmin = await transaction(sql, (tx) => insertBuiltInRoles(tx, orgId, maker.id, now));
  const roles = {
    superAdmin,
    admin: (superAdmin + 1) as RoleId,
    lead: (await customRole(app, orgId, 'Lead', true)) as RoleId,
    sales: (await customRole(app, orgId, 'Sales')) as RoleId,
  };
  type More = { readonly invitedBy?: UserId; readonly isDefault?: boolean };
  const insert = async (
    userId: UserId,
    roleId: RoleId,
    status: MemberStatus,
    { invitedBy, isDefault = false }: More = {},
  ) => {
    const { id } = await sql
      .insertInto('memberships')
      .values({
        org_id: orgId,
        user_id: userId,
        role_id: roleId,
        status,
        first_name: 'Ann',
        is_default: isDefault,
        created_at: now,
        ...(invitedBy !== undefined && {
          invited_by: invitedBy,
          invitation_expires_at: fromNow(clock, INVITATION_DAYS * DAY_MS),
        }),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  };
  return {
    orgId,
    roles,
    /** Adds a new person. */
    async join(role: keyof typeof roles, { confirmed = true, isDefault = false } = {}) {
      const worker = await somebody(app, { confirmed });
      await insert(worker.id, roles[role], MEMBER_STATUS.active, { isDefault });
      return worker;
    },
    /** Adds a role without members. */
    newRole: () => customRole(app, orgId, newEmail('role')),
    /** Adds an application of the organization itself. */
    newApplication: async () => (await registerApplication(app, { org_id: orgId, is_first_party: false })).id,
    /** Adds a webhook of the organization. */
    newWebhook: (more: object = {}) => addWebhook(app, { org_id: orgId, ...more }),
    /** Adds a domain, proven or not. */
    async newDomain({ isProven = false } = {}) {
      const domain = newEmail('x').replace(/@.*$/, '.example');
      const token = randomToken();
      const proven = isProven ? { proven_at: now, checked_at: now } : {};
      const { id } = await sql
        .insertInto('company_domains')
        .values({ org_id: orgId, domain, token, joining: 'ask', created_at: now, ...proven })
        .returning('id')
        .executeTakeFirstOrThrow();
      return { id, domain, token };
    },
    /** Adds a token of a company directory. */
    newDirectoryToken: async () =>
      (
        await sql
          .insertInto('scim_tokens')
          .values({ org_id: orgId, token_hash: sha256(randomToken()), role_id: roles.sales, created_at: now })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id,
    dropDirectoryTokens: () => sql.deleteFrom('scim_tokens').where('org_id', '=', orgId).execute(),
    /** Adds a group of the company directory. */
    async newDirectoryGroup() {
      const row = { org_id: orgId, display_name: newEmail('group'), external_id: '' };
      const times = { created_at: now, changed_at: now };
      const { id } = await sql
        .insertInto('scim_groups')
        .values({ ...row, ...times })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },
    /** Adds an empty draft of a connection in place of another one, or one to a provider that is down. */
    async newConnection(state?: 'tested' | 'on') {
      await sql.deleteFrom('company_connections').where('org_id', '=', orgId).execute();
      const row = { org_id: orgId, created_at: now };
      const connections = sql.insertInto('company_connections').values(row);
      const { id } = await connections.returning('id').executeTakeFirstOrThrow();
      const secret = seal(app.deps.keys, 'company connection', 'a secret', String(id));
      const whole = { issuer: 'http://localhost:9', client_id: 'x', sealed_secret: secret, tested_at: now };
      const change = { ...whole, is_on: state === 'on' };
      if (state) await sql.updateTable('company_connections').set(change).where('id', '=', id).execute();
      return id;
    },
    /** Adds a person with an address of a new proven domain, who asks to be let in. */
    async newJoinRequest() {
      const { domain } = await this.newDomain({ isProven: true });
      const { id } = await somebody(app, { email: `ann@${domain}` });
      await insertRow(app, 'join_requests', { org_id: orgId, user_id: id, created_at: now });
      return id;
    },
    /** Adds a delivered event to a new webhook of the organization. */
    newDelivery: () => addDelivery(app, { org_id: orgId }),
    /** An uploaded dark icon, shown or not yet activated. */
    async icon({ isShown = false } = {}) {
      const fileId = randomToken() as FileId;
      await app.deps.storage.put(fileId, tinyPng);
      const row = { file_id: fileId, org_id: orgId, icon_type: 1, media_type: 'image/png' } as const;
      const images = sql.insertInto('images');
      await sql.deleteFrom('images').where('org_id', '=', orgId).execute();
      await images.values({ ...row, created_at: now, shown_at: isShown ? now : null }).execute();
      return fileId;
    },
    /** Gives a person a picture. */
    async picture({ id }: Worker) {
      const fileId = randomToken() as FileId;
      await app.deps.storage.put(fileId, tinyPng);
      await sql.deleteFrom('pictures').where('user_id', '=', id).execute();
      const row = { user_id: id, file_id: fileId, media_type: 'image/png', created_at: now } as const;
      await sql.insertInto('pictures').values(row).execute();
      return fileId;
    },
    /** Gives every person a pending address with an hour-old mail. */
    everybodyWaits: () =>
      raw`insert into pending_emails (user_id, email, created_at, mailed_at)
        select id, 'next' || id || '@northwind.example', created_at, created_at - interval '1 hour' from users
        on conflict do nothing`.execute(sql),
    /** The id of an application's request that waits for a sign-in. */
    openRequest: () => openRequest(app),
    /** Gives every person a picture. */
    everybodyHasPicture: () =>
      raw`insert into pictures (user_id, file_id, media_type, created_at)
        select id, left(md5(id::text) || md5(id::text), 43), 'image/png', created_at from users
        on conflict do nothing`.execute(sql),
    /** A person with an account whom an admin has invited, and the digest of their mail. */
    async invite(by: Worker, role: keyof typeof roles = 'sales', known?: Worker) {
      const worker = known ?? (await somebody(app));
      const memberId = await insert(worker.id, roles[role], MEMBER_STATUS.invited, { invitedBy: by.id });
      const { digest } = await transaction(sql, (tx) =>
        issueToken(tx, app.deps, {
          purpose: 'invitation',
          userId: worker.id,
          subject: worker.email,
          lifeMs: INVITATION_DAYS * DAY_MS,
          memberId,
        }),
      );
      return { ...worker, memberId, digest };
    },
    /** Adds a person who already belongs to another organization. */
    add: ({ id }: Worker, role: keyof typeof roles) => insert(id, roles[role], MEMBER_STATUS.active),
  };
}
