import type { companyVisits } from '#contract/company-sign-in/visits.ts';
import type { Input } from '#contract/endpoint.ts';
import { canonicalEmail, domainOf } from '#server/accounts/rules.ts';
import {
  findConnection,
  findConnectionAt,
  findConnectionOfDomain,
} from '#server/company-sign-in/connections/data.ts';
import { getCompanyRule } from '#server/company-sign-in/data.ts';
import type { Deps } from '#server/deps.ts';
import { ipPrefix } from '#server/ip-prefix.ts';
import type { SessionOwner } from '#server/sessions/actions.ts';
import { findProvingCompany } from '#server/access/company/data.ts';

export { findOrgIdOf } from '#server/company-sign-in/connections/connections.ts';

const domainTyped = (email: string) => domainOf(canonicalEmail(email) ?? '');

/** The answer depends on the domain alone, so it tells nothing about an account. */
export async function discover(deps: Deps, { email }: Input<typeof companyVisits.discover>, network: string) {
  const tooMany = await deps.limiter.take('socialStartsHour', ipPrefix(network));
  if (tooMany) return tooMany;
  const connection = await findConnectionOfDomain(deps.sql, domainTyped(email));
  // Colleagues share an address, and each of them asks.
  if (connection) await deps.limiter.giveBack([['socialStartsHour', ipPrefix(network)]]);
  const rule = connection && (await getCompanyRule(deps.sql, connection.orgId));
  const required = rule?.from ? rule.from <= deps.clock.now() : false;
  return { available: connection !== undefined, required };
}

type Asked = Pick<Input<typeof companyVisits.start>, 'email' | 'company'>;
/** The connection that a person asks for, by the URL name of its organization or by an address. */
export async function findAsked({ sql }: Deps, { email, company }: Asked, caller: SessionOwner | null) {
  if (company !== undefined) return findConnectionAt(sql, company, caller !== null);
  return email === undefined ? undefined : findConnectionOfDomain(sql, domainTyped(email));
}

/** The connection that may prove the caller's account again. */
export async function findProving({ sql }: Deps, { sessionId }: SessionOwner) {
  const company = await findProvingCompany(sql, sessionId);
  return company && findConnection(sql, company.connectionId);
}
