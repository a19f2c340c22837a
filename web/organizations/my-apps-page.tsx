import { ArrowUpRight } from 'lucide-react';
import type { Organization } from '#contract/organizations.ts';
import { applicationText } from '#contract/text/applications.ts';
import { organizationText } from '#contract/text/organizations.ts';
import { fill } from '#contract/text.ts';
import { site } from '#web/lib/site.ts';
import { Pill } from '#web/ui/pill.tsx';
import { PageHeader } from '#web/ui/sections.tsx';
import { type Application, applicationsOf } from './applications.ts';
import styles from './my-apps.module.css';

/** The launcher of the suite's applications. */
export function MyAppsPage({ organization }: { organization: Organization }) {
  const lead = fill(organizationText.appsLead, { name: organization.name });
  return (
    <>
      <PageHeader title={organizationText.appsTitle} lead={lead} />
      <ul className={styles.apps}>
        {applicationsOf(site, organization.urlName).map((application) => (
          <li key={application.name}>
            <Tile application={application} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Tile({ application: { icon: Icon, name, hint, upcoming, url } }: { application: Application }) {
  const words = (
    <>
      <span className={styles.icon}>
        <Icon aria-hidden="true" />
      </span>
      <h2>{name}</h2>
      <p className={styles.hint}>{hint}</p>
    </>
  );
  if (url === null) {
    return (
      <div className={styles.tile}>
        {words}
        {upcoming ? (
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
