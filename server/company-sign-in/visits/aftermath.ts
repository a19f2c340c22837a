import { bareIssuer } from '#contract/company-sign-in/issuer.ts';
import { companyNews, refuseOthers, tellOf } from '#server/company-sign-in/changes.ts';
import { type Connection, updateUnchanged } from '#server/company-sign-in/connections/data.ts';
import { listAttempts } from './data.ts';
import { transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { lockOrganization } from '#server/members/data.ts';
import type { SuperAdmin } from '#server/members/super-admin-news/acts.ts';

/** The provider's own spelling of its issuer takes the place of the typed one. */
export async function noteTested(deps: Deps, connection: Connection, named: string) {
  const issuer = bareIssuer(named) === bareIssuer(connection.issuer) ? named : connection.issuer;
  await transaction(deps.sql, async (tx) => {
    // The people of the connection keep their links under the new spelling.
    await lockOrganization(tx, connection.orgId);
    await updateUnchanged(tx, connection, { tested_at: deps.clock.now(), issuer });
  });
}

export const listAttemptsOf = async (deps: Deps, scope: SuperAdmin) =>
  (await refuseOthers(deps, scope)) ?? listAttempts(deps.sql, scope.orgId);

/** At once, because nobody gets in. */
export const tellOfSecret = (deps: Deps, { orgId }: Connection) =>
  transaction(deps.sql, (tx) =>
    tellOf(tx, deps, orgId, (organization) => companyNews('secretRefused', { organization })),
  );
