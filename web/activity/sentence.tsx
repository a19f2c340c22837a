import { Link } from '@tanstack/react-router';
import { ABOUT_ROLES, type AuditLog } from '#contract/activity/calls.ts';
import { partsOf, type tell } from '#contract/activity/words.ts';
import styles from './activity.module.css';
import type { Names } from './log.ts';

type Props = {
  sentence: ReturnType<typeof tell>;
  row: AuditLog;
  /** The roles that still exist. Admins get links to them. */
  roles: Names;
  orgId: string;
};

export function Sentence({ sentence, row, roles, orgId }: Props) {
  const roleId = ABOUT_ROLES.includes(row.activityType) ? String(row.recordId) : undefined;
  return partsOf(sentence).map(({ text, place }) => {
    if (place === undefined) return text;
    // People choose these names. `bdi` keeps one from changing the direction of the text around it.
    const words = <bdi className={place === 'who' ? styles.who : undefined}>{text}</bdi>;
    const isLink = place === 'role' && roleId !== undefined && roleId in roles;
    return isLink ? (
      <Link key={place} to="/$orgId/organization/role/$id" params={{ orgId, id: roleId }}>
        {words}
      </Link>
    ) : (
      <span key={place}>{words}</span>
    );
  });
}
