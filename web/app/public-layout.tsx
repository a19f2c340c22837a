import type { ReactNode } from 'react';
import { publicText as text } from '#words/public.ts';
import { site } from '#web/lib/site.ts';
import { Brand } from '#web/ui/mark.tsx';
import { Porch } from '#web/ui/porch.tsx';
import styles from './public-layout.module.css';

export function PublicLayout({ children }: { children: ReactNode }) {
  return (
    <div className={styles.frame}>
      <a href="#content" className={styles.skip}>
        {text.skip}
      </a>
      <div className={styles.column}>
        <header>
          <a href="/" className={styles.home} aria-label={text.home}>
            <Brand />
          </a>
        </header>
        <main id="content" tabIndex={-1} className={styles.content}>
          {children}
        </main>
        <footer className={styles.footer}>
          <a href="/">{text.homeLink}</a>
          <a href="/support">{text.support}</a>
        </footer>
      </div>
      <Porch>
        {site.brand?.line ? (
          <bdi>{site.brand.line}</bdi>
        ) : (
          <>
            <p>{text.porchTitle}</p>
            <small>{text.porchLead}</small>
          </>
        )}
      </Porch>
    </div>
  );
}
