import {
  ArrowUpRight,
  ChartNoAxesColumn,
  ClipboardList,
  type LucideIcon,
  MessagesSquare,
  Signature,
} from 'lucide-react';
import { type Application, type Card, cardsOf, isUpcoming } from '#contract/applications/cards.ts';
import type { Organization } from '#contract/organizations/calls.ts';
import { applicationText } from '#words/application.ts';
import { organizationText } from '#words/organization.ts';
import { site } from '#web/lib/site.ts';
import { initials } from '#web/ui/initials.ts';
import { Pill } from '#web/ui/pill.tsx';
import { PageHeader } from '#web/ui/sections.tsx';
import styles from './my-apps.module.css';
import { Named } from '#web/ui/named.tsx';

const icons: Readonly<Record<Application, LucideIcon>> = {
  sign: Signature,
  seo: ChartNoAxesColumn,
  forms: ClipboardList,
  surveys: MessagesSquare,
};

export function MyAppsPage({ organization }: { organization: Organization }) {
  const lead = organizationText.appsLead({ name: organization.name });
  return (
    <>
      <PageHeader title={organizationText.appsTitle} lead={lead} />
      <ul className={styles.apps}>
        {cardsOf(site, organization).map((card) => (
          <li key={`${card.name} ${card.url}`}>
            <Tile {...card} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Picture({ name, icon, application }: Card) {
  if (icon !== null) return <img src={icon} alt="" className={styles.icon} />;
  const Icon = application && icons[application];
  return (
    <span className={styles.icon} data-initials={Icon ? undefined : initials(name)} aria-hidden="true">
      {Icon && <Icon />}
    </span>
  );
}

function Tile(card: Card) {
  const { name, description, url, application } = card;
  const words = (
    <>
      <Picture {...card} />
      <h2>
        <Named>{name}</Named>
      </h2>
      <p className={styles.hint}>{description || (application && organizationText.appHints[application])}</p>
    </>
  );
  if (url === null) {
    return (
      <div className={styles.tile}>
        {words}
        {application && isUpcoming(application) ? (
          <Pill tone="warn">{applicationText.upcoming}</Pill>
        ) : (
          <Pill>{applicationText.notSetUp}</Pill>
        )}
      </div>
    );
  }
  return (
    <a className={styles.tile} href={url} target="_blank" rel="noreferrer">
      {words}
      <span className={styles.open}>
        {organizationText.open}
        <ArrowUpRight aria-hidden="true" />
        <span className="visually-hidden">{organizationText.opensInNewTab}</span>
      </span>
    </a>
  );
}
