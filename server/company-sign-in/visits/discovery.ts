import type { companyVisits } from '#contract/company-sign-in/visits.ts';
import type { Input } from '#contract/endpoint.ts';
import { canonicalEmail, domainOf } from '#server/accounts/rules.ts';
import { findConnectionOfDomain } from '#server/company-sign-in/connections/data.ts';
import { getCompanyRule } from '#server/company-sign-in/data.ts';
import type { Deps } from '#server/deps.ts';
import { ipPrefix } from '#server/ip-prefix.ts';

export const domainTyped = (email: string) => domainOf(canonicalEmail(email) ?? '');

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
