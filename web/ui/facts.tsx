import type { ReactElement } from 'react';
import styles from './facts.module.css';

type Fact = string | ReactElement | false;

/** Labels and values, one per line. A label without a value is left out. */
export const Facts = ({ facts }: { facts: Readonly<Record<string, Fact | readonly Fact[]>> }) => (
  <dl className={styles.facts}>
    {Object.entries(facts).map(([label, fact]) => {
      const lines = [fact].flat().filter((line) => line !== false && line !== '');
      if (lines.length === 0) return null;
      return (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {lines.map((line) =>
              typeof line === 'string' ? (
                <div key={line}>
                  <bdi>{line}</bdi>
                </div>
              ) : (
                line
              ),
            )}
          </dd>
        </div>
      );
    })}
  </dl>
);
