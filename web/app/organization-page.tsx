import { useQuery } from '@tanstack/react-query';
import { createLink } from '@tanstack/react-router';
import { AppWindow, Download, KeyRound, Plus, Webhook } from 'lucide-react';
import { useState } from 'react';
import { can } from '#contract/members/authority.ts';
import { PLAN } from '#contract/limits.ts';
import { areaText } from '#words/area.ts';
import { organizationText } from '#words/organization.ts';
import { joinRequestsQuery } from '#web/company-sign-in/join-requests.ts';
import { leaveFor } from '#web/lib/navigate.ts';
import { ApplicationCard } from '#web/organizations/application-card.tsx';
import { InformationCard } from '#web/organizations/information-card.tsx';
import { SecondStepCard } from '#web/organizations/second-step-card.tsx';
import { MembersCard } from '#web/members/members-card.tsx';
import { RolesCard } from '#web/roles/roles-card.tsx';
import { Button } from '#web/ui/button.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { PageHeader } from '#web/ui/sections.tsx';
import type { PageProps } from './pages.ts';
import { late, latePopup } from '#web/ui/late.tsx';

const ButtonLink = createLink(Button);
const SecondStepWays = late(async () => (await import('./second-step-ways.tsx')).SecondStepWays);
const JoinRequestsCard = late(
  async () => (await import('#web/company-sign-in/join-requests-card.tsx')).JoinRequestsCard,
);
const OnboardingDialog = latePopup(
  async () => (await import('#web/organizations/onboarding-dialog.tsx')).OnboardingDialog,
);

const innerPages = [
  { act: 'manageApplications', path: 'applications', icon: <AppWindow />, label: areaText.applications },
  { act: 'manageWebhooks', path: 'webhooks', icon: <Webhook />, label: areaText.webhooks },
  { act: 'manageSignIn', path: 'signin', icon: <KeyRound />, label: areaText.companySignIn },
  { act: 'exportData', path: 'data', icon: <Download />, label: areaText.organizationData },
] as const;

export function OrganizationPage({ organization, user, caller, onOrganizationChanged }: PageProps) {
  const [isOnboarding, setOnboarding] = useState(false);
  const { data: requests = [] } = useQuery(joinRequestsQuery(organization.id));
  const params = { orgId: organization.urlName };
  const actions = (
    <>
      {innerPages
        .filter(({ act }) => can(caller, { to: act }))
        .map(({ act, path, icon, label }) => (
          <ButtonLink key={act} to={`/$orgId/organization/${path}`} params={params} icon={icon}>
            {label}
          </ButtonLink>
        ))}
      <Button icon={<Plus />} onClick={() => setOnboarding(true)}>
        {organizationText.create}
      </Button>
    </>
  );
  return (
    <>
      <PageHeader
        title={organizationText.settingsTitle}
        lead={
          <>
            {organizationText.settingsLead(organization)} <Pill>{PLAN}</Pill>
          </>
        }
        actions={actions}
      />
      <ApplicationCard organization={organization} onChanged={onOrganizationChanged} />
      <InformationCard organization={organization} onChanged={onOrganizationChanged} />
      {caller.rank === 'superAdmin' && <SecondStepCard organization={organization} Ways={SecondStepWays} />}
      <RolesCard organization={organization} user={user} caller={caller} />
      {requests.length > 0 && (
        <JoinRequestsCard organization={organization} zone={user.timeZone} requests={requests} />
      )}
      <MembersCard organization={organization} user={user} caller={caller} />
      {isOnboarding && (
        <OnboardingDialog
          onClose={() => setOnboarding(false)}
          user={user}
          onCreated={(urlName) => leaveFor(`/${urlName}/organization`)}
        />
      )}
    </>
  );
}
