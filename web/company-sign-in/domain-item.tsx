import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { companyDomains, type CompanyDomain } from '#contract/company-sign-in/domains.ts';
import type { Output } from '#contract/endpoint.ts';
import type { Organization } from '#contract/organizations/calls.ts';
import { companyDomainsText as text } from '#words/company-domains.ts';
import { momentsIn } from '#web/lib/moments.ts';
import { useCall } from '#web/lib/use-call.ts';
import { Address } from '#web/ui/address.tsx';
import { Button } from '#web/ui/button.tsx';
import { CopyField } from '#web/ui/copy-field.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { FieldGrid } from '#web/ui/sections.tsx';
import styles from './company-sign-in.module.css';
import type { DomainAct } from './domain-dialog.tsx';
import { Item, overtaken } from './parts.tsx';
import { useDomainChanged } from './queries.ts';

type Checked = Output<typeof companyDomains.check>;

type Props = {
  organization: Organization;
  domain: CompanyDomain;
  /** The name of the role of people who join by one click. */
  role: string;
  zone: string | null;
  onAct: (act: DomainAct) => void;
};

/** A domain with its record, and what the last "Check now" found. */
export function DomainItem({ organization, domain, role, zone, onAct }: Props) {
  const { domain: name, joining, missingSince, recordName, recordValue } = domain;
  const isProven = domain.provenTime !== null;
  const isGood = isProven && missingSince === null;
  const [checked, setChecked] = useState<Checked>();
  const changed = useDomainChanged(organization.id);
  const { run, busy } = useCall(companyDomains.check, { domain_not_found: overtaken(changed) });
  const check = async () => {
    setChecked(undefined);
    const answer = await run({ orgId: organization.id, id: domain.id });
    if (!answer) return;
    setChecked(answer);
    await changed(answer.domain);
  };
  return (
    <Item
      name={<Address>{name}</Address>}
      pills={
        <>
          {!isProven && <Pill tone="warn">{text.waiting}</Pill>}
          {isProven && <Pill tone={isGood ? 'good' : 'bad'}>{isGood ? text.proven : text.missing}</Pill>}
        </>
      }
      words={isProven && <p>{joining === 'click' ? text.joins.click({ role }) : text.joins[joining]}</p>}
      acts={
        <>
          <Button
            size="small"
            busy={busy}
            aria-label={text.checkOne({ domain: name })}
            onClick={() => void check()}
          >
            {text.check}
          </Button>
          {isProven && (
            <Button
              size="small"
              aria-label={text.changeOne({ domain: name })}
              onClick={() => onAct({ kind: 'joining', domain })}
            >
              {text.change}
            </Button>
          )}
          <IconButton
            name={text.removeOne({ domain: name })}
            icon={<Trash2 />}
            onClick={() => onAct({ kind: 'remove', domain })}
          />
        </>
      }
    >
      {missingSince && (
        <Notice kind="danger" announce={false}>
          {text.missingSince({ time: momentsIn(zone).momentWithin(missingSince) })}
        </Notice>
      )}
      {checked && <Finding checked={checked} />}
      <details key={String(isGood)} open={!isGood}>
        <summary>{text.record({ domain: name })}</summary>
        <p>{isGood ? text.keepRecord : text.addRecord({ domain: name })}</p>
        <FieldGrid>
          <CopyField label={text.recordName} value={recordName} />
          <CopyField label={text.recordValue} value={recordValue} />
        </FieldGrid>
      </details>
    </Item>
  );
}

function Finding({ checked: { found, records, domain } }: { checked: Checked }) {
  const { domain: name, recordName } = domain;
  const host = recordName.slice(0, -name.length - 1);
  const record = found === 'doubled' ? `${recordName}.${name}` : recordName;
  return (
    <Notice kind={found === 'proven' ? 'success' : 'warning'} announce>
      <p>{text.found[found]({ domain: name, record, host })}</p>
      {records.length > 0 && found === 'other' && (
        <ul className={styles.records}>
          {[...new Set(records)].map((record) => (
            <li key={record}>
              <bdi>{record}</bdi>
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}
