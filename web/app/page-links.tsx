import { Link } from '@tanstack/react-router';
import type { Organization } from '#contract/organizations/calls.ts';
import { areaText } from '#words/area.ts';
import { OWN_SEGMENT } from '#contract/pages.ts';
import { pagesFor, ownPageNames, pages } from './pages.ts';
import { callerOf, useSession } from './session-context.ts';
import styles from './shell.module.css';

type Props = { organization: Organization | null; onPick?: () => void };

export function PageLinks({ organization, onPick }: Props) {
  const { rank } = callerOf(useSession());
  const names = organization ? pagesFor(rank) : ownPageNames;
  return (
    <nav aria-label={areaText.mainMenu}>
      <ul className={styles.links}>
        {names.map((name) => {
          const page = pages[name];
          const { icon: Icon, label } = page;
          return (
            <li key={name} className={'apart' in page ? styles.apart : undefined}>
              <Link
                to={`/$orgId/${name}`}
                params={{ orgId: organization?.urlName ?? OWN_SEGMENT }}
                onClick={onPick}
              >
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
