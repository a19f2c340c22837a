import {
  ArrowUpRight,
  ChartNoAxesColumn,
  ClipboardList,
  type LucideIcon,
  MessagesSquare,
  Signature,
} from 'lucide-react';
import { type Application, applications, applicationUrl, isUpcoming } from '#contract/applications.ts';
import type { Organization } from '#contract/organizations.ts';
import { applicationText } from '#contract/text/applications.ts';
import { organizationText } from '#contract/text/organizations.ts';
import { fill } from '#contract/text.ts';
import { site } from '#web/lib/site.ts';
import { Pill } from '#web/ui/pill.tsx';
import { PageHeader } from '#web/ui/sections.tsx';
import styles from './my-apps.module.css';

const icons: Readonly<Record<Application, LucideIcon>> = {
  sign: Signature,
  seo: ChartNoAxesColumn,
  forms: ClipboardList,
  surveys: MessagesSquare,
};

export function MyAppsPage({ organization }: { organization: Organization }) {
  const lead = fill(organizationText.appsLead, { name: organization.name });
  return (
    <>
      <PageHeader title={organizationText.appsTitle} lead={lead} />
      <ul className={styles.apps}>
        {applications.map((application) => (
          <li key={application}>
            <Tile application={application} url={applicationUrl(application, site, organization.urlName)} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Tile({ application, url }: { application: Application; url: string | null }) {
  const Icon = icons[application];
  const words = (
    <>
      <span className={styles.icon}>
        <Icon aria-hidden="true" />
      </span>
      <h2>{applicationText[application]}</h2>
      <p className={styles.hint}>{organizationText.appHints[application]}</p>
    </>
  );
  if (url === null) {
    return (
      <div className={styles.tile}>
        {words}
        {isUpcoming(application) ? (
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
