import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Organization } from '#contract/organizations/calls.ts';
import { Notice } from '#web/ui/notice.tsx';
import { PageHeader } from '#web/ui/sections.tsx';

type Props = {
  organization: Organization;
  text: {
    title: string;
    organization: string;
    superAdminsOnly: string;
    unlisted: (values: { organization: string }) => string;
  };
  isAllowed: boolean;
  /** The page for Super Admins, with the crumbs for its header. */
  children: (crumbs: ReactNode) => ReactNode;
};

export function SuperAdminPage({ organization, text, isAllowed, children }: Props) {
  const crumbs = (
    <Link to="/$orgId/organization" params={{ orgId: organization.urlName }}>
      {text.organization}
    </Link>
  );
  if (isAllowed) return children(crumbs);
  return (
    <>
      <PageHeader title={text.title} crumbs={crumbs} />
      <Notice kind="info" title={text.superAdminsOnly}>
        {text.unlisted({ organization: organization.name })}
      </Notice>
    </>
  );
}
