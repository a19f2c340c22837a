import { type Actor, can } from '#contract/members/authority.ts';
import type { Organization } from '#contract/organizations/calls.ts';
import type { User } from '#contract/profile/user.ts';
import { companySignInText as text } from '#words/company-sign-in.ts';
import { RuleCard } from '#web/company-sign-in/rule-card.tsx';
import { SuperAdminPage } from '#web/organizations/super-admin-page.tsx';
import { late } from '#web/ui/late.tsx';
import { PageHeader } from '#web/ui/sections.tsx';

const SecondStepWays = late(async () => (await import('./second-step-ways.tsx')).SecondStepWays);
import { ConnectionCard } from '#web/company-sign-in/connection-card.tsx';
import { DirectoryCard } from '#web/company-sign-in/directory-card.tsx';
import { DomainsCard } from '#web/company-sign-in/domains-card.tsx';

type Props = { organization: Organization; user: User; caller: Actor };

export const CompanySignInPage = ({ organization, user, caller }: Props) => (
  <SuperAdminPage organization={organization} text={text} isAllowed={can(caller, { to: 'manageSignIn' })}>
    {(crumbs) => (
      <>
        <PageHeader
          title={text.title}
          lead={text.lead({ organization: organization.name })}
          crumbs={crumbs}
        />
        <DomainsCard organization={organization} zone={user.timeZone} />
        <ConnectionCard organization={organization} zone={user.timeZone} />
        <DirectoryCard organization={organization} zone={user.timeZone} />
        <RuleCard organization={organization} Ways={SecondStepWays} />
      </>
    )}
  </SuperAdminPage>
);
