import { useQuery } from '@tanstack/react-query';
import { Globe, Plus } from 'lucide-react';
import { useState } from 'react';
import type { CompanyDomain } from '#contract/company-sign-in/domains.ts';
import { DOMAINS_PER_ORGANIZATION_MAX } from '#contract/limits.ts';
import type { Organization } from '#contract/organizations/calls.ts';
import { companyDomainsText as text } from '#words/company-domains.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { rolesQuery } from '#web/members/roles-query.ts';
import { Button } from '#web/ui/button.tsx';
import { latePopup } from '#web/ui/late.tsx';
import { Card, LoadFailed } from '#web/ui/sections.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import styles from './company-sign-in.module.css';
import type { DomainAct } from './domain-dialog.tsx';
import { DomainItem } from './domain-item.tsx';
import { domainsQuery } from './domains.ts';

const DomainDialog = latePopup(async () => (await import('./domain-dialog.tsx')).DomainDialog);

type Props = { organization: Organization; zone: string | null };

export function DomainsCard({ organization, zone }: Props) {
  const { data: domains, isError, refetch } = useQuery(domainsQuery(organization.id));
  const { data: roles = [] } = useQuery(rolesQuery(organization.id));
  const [act, setAct] = useState<DomainAct>();
  const add = () => {
    if (domains && domains.length >= DOMAINS_PER_ORGANIZATION_MAX)
      showAlert({ kind: 'info', text: text.full });
    else setAct({ kind: 'add' });
  };
  const roleOf = ({ roleId }: CompanyDomain) => roles.find(({ id }) => id === roleId)?.name ?? '';
  return (
    <Card
      title={text.title}
      lead={text.lead({ organization: organization.name })}
      actions={
        <Button icon={<Plus />} onClick={add}>
          {text.add}
        </Button>
      }
    >
      {isError && !domains && <LoadFailed onRetry={() => void refetch()} />}
      {!domains && !isError && (
        <div className={styles.loading} aria-busy="true">
          <Skeleton width="third" />
          <Skeleton width="most" />
          <output className="visually-hidden">{text.loading}</output>
        </div>
      )}
      {domains?.length === 0 && (
        <div className={styles.empty}>
          <Globe />
          <strong>{text.empty}</strong>
          <p>{text.emptyHint}</p>
        </div>
      )}
      {domains && domains.length > 0 && (
        <ul className={styles.domains}>
          {domains.map((domain) => (
            <DomainItem
              key={domain.id}
              organization={organization}
              domain={domain}
              role={roleOf(domain)}
              zone={zone}
              onAct={setAct}
            />
          ))}
        </ul>
      )}
      {act && (
        <DomainDialog act={act} organization={organization} roles={roles} onClose={() => setAct(undefined)} />
      )}
    </Card>
  );
}
