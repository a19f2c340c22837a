import type { ReactNode } from 'react';
import styles from './facts.module.css';

/** Labels and values. Empty values are left out. */
export const Facts = ({ facts }: { facts: Readonly<Record<string, ReactNode>> }) => (
  <dl className={styles.facts}>
    {Object.entries(facts).map(
      ([label, fact]) =>
        fact && (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{fact}</dd>
          </div>
        ),
    )}
  </dl>
);

/** Lines of a value, such as addresses. */
export const Lines = ({ of }: { of: readonly string[] }) =>
  of.map((line) => (
    <div key={line}>
      <bdi>{line}</bdi>
    </div>
  ));
