import {
  ArrowUpRight,
  ChartNoAxesColumn,
  ClipboardList,
  type LucideIcon,
  MessagesSquare,
  Signature,
} from 'lucide-react';
import { homeText as text } from '#contract/text/home.ts';
import { uiText } from '#contract/text/ui.ts';
import { fill } from '#contract/text.ts';
import { site } from '#web/lib/site.ts';
import { Pill } from '#web/ui/pill.tsx';
import styles from './home-page.module.css';

type App = { name: string; about: string; icon: LucideIcon; active: boolean; url: string | null };

const apps: readonly App[] = [
  { ...text.apps.sign, icon: Signature, active: true, url: site.signUrl },
  { ...text.apps.seo, icon: ChartNoAxesColumn, active: true, url: site.seoUrl },
  { ...text.apps.forms, icon: ClipboardList, active: false, url: null },
  { ...text.apps.surveys, icon: MessagesSquare, active: false, url: null },
];

/** The suite's applications; those that are there lead to their own address, when the operator set one. */
export function HomeApps() {
  return (
    <section className={styles.section} aria-labelledby="applications">
      <h2 id="applications">{text.appsHeading}</h2>
      <p className={styles.lead}>{text.appsLead}</p>
      <ul className={styles.apps}>
        {apps.map((app) => (
          <li key={app.name} className={styles.app}>
            <AppCard app={app} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function AppCard({ app: { name, about, icon: Icon, active, url } }: { app: App }) {
  return (
    <>
      <div className={styles.appTop}>
        <span className={styles.tile} aria-hidden="true">
          <Icon />
        </span>
        <Pill tone={active ? 'good' : 'warn'}>{active ? text.active : text.upcoming}</Pill>
      </div>
      <h3>{name}</h3>
      <p>{about}</p>
      {url !== null && (
        <a href={url} target="_blank" rel="noreferrer" className={styles.open}>
          {fill(text.open, { app: name })}
          <ArrowUpRight />
          <span className="visually-hidden"> {uiText.opensNewTab}</span>
        </a>
      )}
    </>
  );
}
