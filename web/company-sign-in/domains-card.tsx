import { useQuery } from '@tanstack/react-query';
import { Globe, Plus } from 'lucide-react';
import { useState } from 'react';
import type { CompanyDomain } from '#contract/company-sign-in/domains.ts';
import { DOMAINS_PER_ORGANIZATION_MAX } from '#contract/limits.ts';
import type { Organization } from '#contract/organizations/calls.ts';
import { companyDomainsText as text } from '#words/company-domains.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { Button } from '#web/ui/button.tsx';
import { latePopup } from '#web/ui/late.tsx';
import styles from './company-sign-in.module.css';
import type { DomainAct } from './domain-dialog.tsx';
import { DomainItem } from './domain-item.tsx';
import { ListCard } from './parts.tsx';
import { domainsQuery, useRoles } from './queries.ts';

const DomainDialog = latePopup(async () => (await import('./domain-dialog.tsx')).DomainDialog);

type Props = { organization: Organization; zone: string | null };

export function DomainsCard({ organization, zone }: Props) {
  const list = useQuery(domainsQuery(organization.id));
  const { data: domains } = list;
  const roles = useRoles(organization.id);
  const [act, setAct] = useState<DomainAct>();
  const add = () => {
    if (domains && domains.length >= DOMAINS_PER_ORGANIZATION_MAX)
      showAlert({ kind: 'info', text: text.full });
    else setAct({ kind: 'add' });
  };
  const roleOf = ({ roleId }: CompanyDomain) => roles.find(({ id }) => id === roleId)?.name ?? '';
  return (
    <ListCard
      title={text.title}
      lead={text.lead({ organization: organization.name })}
      actions={
        <Button icon={<Plus />} onClick={add}>
          {text.add}
        </Button>
      }
      list={list}
      loading={text.loading}
      empty={domains?.length === 0 && { icon: <Globe />, title: text.empty, hint: text.emptyHint }}
    >
      {domains && domains.length > 0 && (
        <ul className={styles.items}>
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
    </ListCard>
  );
}
