import { useCallback, useState } from 'react';
import { organizationDataText as text } from '#contract/text/organization-data-export.ts';
import type { User } from '#contract/profile/user.ts';
import type { OrgId } from '#contract/wire.ts';
import { lateCode, useFirstInteraction } from '#web/ui/late.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { Card } from '#web/ui/sections.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

type Code = typeof import('./data-export.tsx');
let known: Code | undefined;
const load = async () => (known = await import('./data-export.tsx'));

/** The organization's archive. It lies below the first view, so its code loads at the first sign of a person. */
export function OrganizationDataExport({ orgId, user }: { orgId: OrgId; user: User }) {
  const [code, setCode] = useState(known);
  const [isFailed, setFailed] = useState(false);
  const show = useCallback(() => load().then(setCode, () => setFailed(true)), []);
  useFirstInteraction(show);
  const retry = () => void lateCode(load).then(setCode);
  return (
    <Card title={text.title} lead={text.lead}>
      {code ? (
        <code.DataExport text={text} subject={{ orgId }} user={user} />
      ) : isFailed ? (
        <LoadFailed onRetry={retry} />
      ) : (
        <Skeleton />
      )}
    </Card>
  );
}
