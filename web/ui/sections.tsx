import type { ReactNode } from 'react';
import { spokenLanguage } from '#words/language.ts';
import { lateUiText } from '#words/late-ui.ts';
import { uiText } from '#words/ui.ts';
import { Button } from './button.tsx';
import { whyNotLoaded } from '#web/lib/cause.ts';
import { classNames } from './class-names.ts';
import { Notice } from './notice.tsx';
import styles from './sections.module.css';

interface PageHeaderProps {
  title: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
  /** Links to the parent pages, outermost first. */
  crumbs?: ReactNode;
}

export function PageHeader({ title, lead, actions, crumbs }: PageHeaderProps) {
  return (
    <header className={styles.pageHeader}>
      <div className={styles.pageTitle}>
        {crumbs && (
          <nav className={styles.crumbs} aria-label={lateUiText.breadcrumb}>
            {crumbs}
          </nav>
        )}
        <h1>{title}</h1>
        {lead && <p>{lead}</p>}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </header>
  );
}

interface SplitProps {
  id?: string;
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}

export function Split({ id, title, lead, children }: SplitProps) {
  return (
    <section id={id} className={styles.split}>
      <div className={styles.about}>
        <h2>{title}</h2>
        {lead && <p>{lead}</p>}
      </div>
      <div className={styles.subject}>{children}</div>
    </section>
  );
}

interface CardProps {
  id?: string;
  title?: string;
  lead?: ReactNode;
  actions?: ReactNode;
  foot?: ReactNode;
  note?: ReactNode;
  /** The body touches the edges, as a table does. */
  flush?: boolean;
  children?: ReactNode;
}

export function Card({ id, title, lead, actions, foot, note, flush = false, children }: CardProps) {
  const hasHead = title !== undefined || actions !== undefined;
  return (
    <section id={id} className={styles.card}>
      {hasHead && (
        <header className={styles.head}>
          <div className={styles.headWords}>
            {title && <h2>{title}</h2>}
            {lead && <p>{lead}</p>}
          </div>
          {actions && <div className={styles.actions}>{actions}</div>}
        </header>
      )}
      {children && (
        <div className={classNames(styles.body, flush && styles.flush, hasHead && styles.underHead)}>
          {children}
        </div>
      )}
      {(foot ?? note) && (
        <footer className={styles.foot}>
          <div className={styles.note}>{note}</div>
          {foot}
        </footer>
      )}
    </section>
  );
}

export const LoadFailed = ({ busy, onRetry }: { busy?: boolean; onRetry: () => void }) => (
  <Notice
    kind="danger"
    title={uiText.loadFailed}
    action={
      <Button size="small" busy={busy} onClick={onRetry}>
        {uiText.tryAgain}
      </Button>
    }
  >
    {whyNotLoaded()}
  </Notice>
);

export function Notices({ children }: { children: ReactNode }) {
  return <div className={styles.notices}>{children}</div>;
}

export function FieldGrid({ children }: { children: ReactNode }) {
  return <div className={styles.fieldGrid}>{children}</div>;
}

export function FullRow({ children }: { children: ReactNode }) {
  return <div className="full-row">{children}</div>;
}

/** The fields of a person's name, in the order in which the language asks for them. */
export const NameFields = ({ children }: { children: [first: ReactNode, last: ReactNode] }) =>
  spokenLanguage.isFamilyFirst ? children.toReversed() : children;

/** The credit that the licence of the location data requires wherever locations are shown. */
export const PlacesCredit = () => (
  <p className={styles.credit}>
    <a href="https://db-ip.com" target="_blank" rel="noreferrer">
      {lateUiText.placesCredit} <span className="visually-hidden">{lateUiText.opensNewTab}</span>
    </a>
  </p>
);
