import { Link } from '@tanstack/react-router';
import type { Organization } from '#contract/organizations.ts';
import { areaText } from '#contract/text/area.ts';
import { openPages, pages } from './pages.ts';
import { callerOf, useSession } from './session-context.ts';
import styles from './shell.module.css';

type Props = { organization: Organization; onPick?: () => void };

/** The side menu's links: the pages that the person may open here. */
export function PageLinks({ organization, onPick }: Props) {
  const { rank } = callerOf(useSession());
  return (
    <nav aria-label={areaText.mainMenu}>
      <ul className={styles.links}>
        {openPages(rank).map((name) => {
          const { icon: Icon, label } = pages[name];
          return (
            <li key={name}>
              <Link to={`/$orgId/${name}`} params={{ orgId: organization.urlName }} onClick={onPick}>
                <Icon aria-hidden="true" />
                {label}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
