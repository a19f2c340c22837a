import { Refusal, refuse } from '#contract/errors.ts';
import { activityValuesText } from '#words/activity-values.ts';
import { recordActivity } from '#server/activity/data.ts';
import { companyNews } from '#server/company-sign-in/changes.ts';
import { getCompanyRule } from '#server/company-sign-in/data.ts';
import { askForPasswordLinks } from '#server/company-sign-in/password-links.ts';
import { deleteDomain } from '#server/company-sign-in/domains/data.ts';
import { storeCompanyRule } from '#server/company-sign-in/rule/data.ts';
import { lockOrganization } from '#server/members/data.ts';
import { tellSuperAdmins } from '#server/members/super-admin-news/actions.ts';
import { findClaimed, listCompanies } from './data.ts';
import { listed, rowOf } from '#server/operator/lines.ts';
import { oneOrganization } from '#server/operator/subjects.ts';
import type { Changes, Looks } from '#server/operator/work.ts';

export const companyChanges = {
  'company release-domain': async (work, { domain }) => {
    const { tx, deps } = work;
    const claimed = await findClaimed(tx, domain.toLowerCase());
    if (!claimed) return refuse('domain_not_found');
    const { id, orgId, organization, urlName } = claimed;
    await lockOrganization(tx, orgId);
    await askForPasswordLinks(tx, deps, claimed, claimed.domain);
    await deleteDomain(tx, id);
    await recordActivity(tx, deps, 'organization.companyDomain.delete', rowOf(work, orgId, id, { domain }));
    const names = () => ({ organization, domain, person: activityValuesText.operator });
    const news = companyNews('domainRemoved', names);
    await tellSuperAdmins(tx, deps, { orgId, urlName }, news, 'organization/signin');
    return { organization };
  },
  'company lift-rule': async (work, { organization: typed }) => {
    const { tx, deps } = work;
    const found = await oneOrganization(tx, typed);
    if (found instanceof Refusal) return found;
    const orgId = found.id;
    const organization = await lockOrganization(tx, orgId);
    if (!organization) return refuse('org_not_found');
    const { rule } = await getCompanyRule(tx, orgId);
    if (rule === 'nobody') return refuse('no_changes');
    await storeCompanyRule(tx, orgId, 'nobody', null);
    const row = rowOf(work, orgId, orgId, { company_rule: [rule, 'nobody'] });
    await recordActivity(tx, deps, 'organization.companyConnection.update', row);
    const names = () => ({ organization: organization.name, person: activityValuesText.operator });
    const news = companyNews('ruleLifted', names);
    await tellSuperAdmins(tx, deps, { orgId, urlName: organization.urlName }, news, 'organization/signin');
    return { organization: organization.name };
  },
} satisfies Partial<Changes>;

export const companyLooks = {
  'company list': async ({ sql }) =>
    listed(await listCompanies(sql), ({ organization, domain, provenAt, issuer, rule, from }) =>
      [
        organization,
        domain,
        provenAt ? `proven since ${provenAt.toISOString()}` : 'not proven',
        ...(issuer ? [issuer] : []),
        ...(from ? [`${rule} must come through it from ${from.toISOString()}`] : []),
      ].join('  '),
    ),
} satisfies Partial<Looks>;
