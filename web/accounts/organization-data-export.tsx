import { organizationDataText as text } from '#contract/text/organization-data-export.ts';
import type { User } from '#contract/profile/user.ts';
import type { OrgId } from '#contract/wire.ts';
import { late } from '#web/ui/late.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { Card } from '#web/ui/sections.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

const DataExport = late(async () => (await import('./data-export.tsx')).DataExport, {
  whenIdle: true,
  waiting: <Skeleton />,
  failed: (_props, retry) => <LoadFailed onRetry={retry} />,
});

export const OrganizationDataExport = ({ orgId, user }: { orgId: OrgId; user: User }) => (
  <Card title={text.title} lead={text.lead}>
    <DataExport text={text} subject={{ orgId }} user={user} />
  </Card>
);
