import { randomBytes } from 'node:crypto';
import { OPERATOR_ID } from '#contract/activity/calls.ts';
import type { companyDomains, DomainId, Found } from '#contract/company-sign-in/domains.ts';
import type { Input } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import { DOMAINS_PER_ORGANIZATION_MAX } from '#contract/limits.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { companyFieldText } from '#words/company-field.ts';
import { companyMailText } from '#words/company-mail.ts';
import { recordActivity } from '#server/activity/data.ts';
import { changes } from '#server/activity/rules.ts';
import {
  settingsChange,
  refuseOthers,
  refuseUnderRule,
  roleName,
  roleToGive,
  tellOf,
  companyNews,
} from '#server/company-sign-in/changes.ts';
import type { SuperAdmin } from '#server/members/super-admin-news/acts.ts';
import { askForPasswordLinks } from '#server/company-sign-in/password-links.ts';
import {
  deleteDomain,
  findDomain,
  findDomainById,
  insertDomain,
  listDomains,
  proveDomain,
  toCompanyDomain,
  updateDomain,
} from './data.ts';
import { txtRecords } from './records.ts';
import { domainTyped, doubledName, foundIn, nextOf, recordName, type Records } from './rules.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { fillWords } from '#server/mail/frame.ts';
import { lockOrganization } from '#server/members/data.ts';

const TOKEN_BYTES = 20;
const newToken = () => randomBytes(TOKEN_BYTES).toString('base64url');

export const listDomainsOf = async (deps: Deps, scope: SuperAdmin) =>
  (await refuseOthers(deps, scope)) ?? (await listDomains(deps.sql, scope.orgId)).map(toCompanyDomain);

async function getDomain(tx: Tx, id: DomainId) {
  const domain = await findDomainById(tx, id);
  if (!domain) throw new Error('the domain is gone');
  return toCompanyDomain(domain);
}

const bad = (domain: string) => refuse('invalid_input', { fields: { domain } });

export const addDomain = settingsChange(
  async ({ tx, deps, orgId }, { domain: typed }: Input<typeof companyDomains.add>) => {
    const domain = domainTyped(typed);
    if (domain === undefined) return bad(companyFieldText.domain);
    if ((await listDomains(tx, orgId)).length >= DOMAINS_PER_ORGANIZATION_MAX)
      return refuse('domain_limit_reached');
    const row = { orgId, domain, token: newToken(), createdAt: deps.clock.now() };
    const added = await insertDomain(tx, row);
    if (!added) return bad(companyFieldText.domainAgain);
    const information = { domain };
    const answer = await getDomain(tx, added.id);
    return { act: 'organization.companyDomain.create', recordId: added.id, information, answer };
  },
);

const RECORDS_SHOWN = 10;

/** Looks for the record, and proves the domain if it is there. */
export async function checkDomain(deps: Deps, actor: SuperAdmin, id: DomainId) {
  const refusal = await refuseOthers(deps, actor);
  if (refusal) return refusal;
  if (!actor.confirmed) return refuse('account_not_confirmed');
  const domain = await findDomain(deps.sql, actor.orgId, id);
  if (!domain) return refuse('domain_not_found');
  const full = await deps.limiter.take('domainChecksHour', String(actor.orgId));
  if (full) return full;
  const records = await txtRecords(recordName(domain.domain));
  const isElsewhere = !['proven', 'silent'].includes(foundIn(records, domain.token));
  const doubled = isElsewhere ? await txtRecords(doubledName(domain.domain)) : [];
  return transaction(deps.sql, async (tx) => {
    const found = await applyRecords(tx, deps, actor, id, records, doubled);
    if (found === undefined) return refuse('domain_not_found');
    const shown = records === 'silent' ? [] : records.slice(0, RECORDS_SHOWN);
    return { domain: await getDomain(tx, id), found, records: shown };
  });
}

/** The daily look. It has no author, so the row of the log names the portal. */
export async function lookAgain(deps: Deps, id: DomainId) {
  const domain = await findDomainById(deps.sql, id);
  if (!domain?.provenTime) return;
  const records = await txtRecords(recordName(domain.domain));
  const { orgId } = domain;
  const actor = { orgId, userId: OPERATOR_ID as UserId };
  await transaction(deps.sql, (tx) => applyRecords(tx, deps, actor, id, records));
}

/** Stores what a look at the records found. Undefined if the domain was removed meanwhile. */
async function applyRecords(
  tx: Tx,
  deps: Deps,
  { orgId, userId }: { readonly orgId: OrgId; readonly userId: UserId },
  id: DomainId,
  records: Records,
  doubled?: Records,
): Promise<Found | undefined> {
  const organization = await lockOrganization(tx, orgId);
  const domain = await findDomain(tx, orgId, id);
  if (!organization || !domain) return undefined;
  const now = deps.clock.now();
  const found = foundIn(records, domain.token, doubled);
  const tell = (mail: keyof typeof companyMailText.domain) =>
    tellOf(tx, deps, orgId, (name) => ({
      kind: `domain.${mail}`,
      words: fillWords(companyMailText.domain[mail], { organization: name, domain: domain.domain }),
    }));
  const record = (proven: [boolean, boolean]) =>
    recordActivity(tx, deps, 'organization.companyDomain.update', {
      orgId,
      userId,
      recordId: id,
      information: { domain: domain.domain, proven },
    });
  if (found !== 'silent') await updateDomain(tx, id, { checked_at: now });
  if (domain.provenTime === null) {
    if (found !== 'proven') return found;
    if (!(await proveDomain(tx, domain, now))) return 'taken';
    await record([false, true]);
    await tell('proven');
    return found;
  }
  const next = nextOf(domain, found, now);
  if (next === 'back') await updateDomain(tx, id, { missing_since: null });
  if (next === 'missed') {
    await updateDomain(tx, id, { missing_since: now });
    await tell('missing');
  }
  if (next === 'lost') {
    // A new owner of the domain could have copied the record.
    await updateDomain(tx, id, { proven_at: null, missing_since: null, token: newToken() });
    await record([true, false]);
    await tell('lost');
  }
  return found;
}

export const changeDomain = settingsChange(
  async ({ tx, orgId, caller }, { id, joining, roleId }: Input<typeof companyDomains.change>) => {
    const before = await findDomain(tx, orgId, id);
    if (!before) return refuse('domain_not_found');
    const role = joining === 'click' ? await roleToGive(tx, orgId, caller, roleId) : undefined;
    if (role instanceof Refusal) return role;
    const former = await roleName(tx, orgId, before.roleId);
    const edits = changes({ joining: before.joining, role: former }, { joining, role: role?.name ?? null });
    if (Object.keys(edits).length === 0) return refuse('no_changes');
    await updateDomain(tx, id, { joining, role_id: role?.id ?? null });
    const { domain } = before;
    return {
      act: 'organization.companyDomain.update',
      recordId: id,
      information: { domain, joining: [before.joining, joining], ...edits },
      news: (names) => companyNews('joiningChanged', { ...names, domain }),
      answer: await getDomain(tx, id),
    };
  },
);

export const removeDomain = settingsChange(
  async ({ tx, deps, orgId, caller }, { id, domain }: Input<typeof companyDomains.remove>) => {
    const before = await findDomain(tx, orgId, id);
    if (!before) return refuse('domain_not_found');
    if (before.domain !== domain) return refuse('changed_meanwhile');
    const others = (await listDomains(tx, orgId)).filter(({ id: other }) => other !== id);
    const isLastProven = before.provenTime !== null && others.every(({ provenTime }) => provenTime === null);
    const ruled = isLastProven && (await refuseUnderRule(tx, orgId));
    if (ruled) return ruled;
    await askForPasswordLinks(tx, deps, { orgId, organization: caller.organization }, domain);
    await deleteDomain(tx, id);
    return {
      act: 'organization.companyDomain.delete',
      recordId: id,
      information: { domain },
      news: (names) => companyNews('domainRemoved', { ...names, domain }),
      answer: { id },
    };
  },
);
