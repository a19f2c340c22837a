import { type Actor, can } from '#contract/members/authority.ts';
import type { Organization } from '#contract/organizations/calls.ts';
import { organizationDataText as text } from '#words/organization-data.ts';
import type { User } from '#contract/profile/user.ts';
import { SuperAdminPage } from './super-admin-page.tsx';
import { Card, PageHeader } from '#web/ui/sections.tsx';
import { DataExport } from '#web/accounts/data-export.tsx';

type Props = { organization: Organization; user: User; caller: Actor };

export const OrganizationDataPage = ({ organization, user, caller }: Props) => (
  <SuperAdminPage organization={organization} text={text} isAllowed={can(caller, { to: 'exportData' })}>
    {(crumbs) => (
      <>
        <PageHeader title={text.title} lead={text.lead} crumbs={crumbs} />
        <Card>
          <DataExport text={text} subject={{ orgId: organization.id }} user={user} />
        </Card>
      </>
    )}
  </SuperAdminPage>
);
