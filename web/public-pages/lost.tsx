import { lostText as text } from '#words/lost.ts';
import { asideTo } from '#web/lib/navigate.ts';
import styles from './proof.module.css';

/** The ways that remain for a person who has lost every second step. `helper`: the organization whose Super Admins can help, too. */
export const Lost = ({ helper }: { helper?: string | undefined }) => (
  <details className={styles.lost}>
    <summary>{text.title}</summary>
    <p>
      {text.support({
        link: (words) => (
          <a key="link" href={asideTo('/support')}>
            {words}
          </a>
        ),
      })}
    </p>
    {helper !== undefined && <p>{text.superAdmin({ organization: helper })}</p>}
  </details>
);
