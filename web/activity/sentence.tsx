import { Link } from '@tanstack/react-router';
import { ACTIVITY_TYPE, type AuditLog } from '#contract/activity/calls.ts';
import { partsOf, tell } from '#contract/activity/words.ts';
import styles from './activity.module.css';
import type { Names } from './log.ts';

type Props = {
  row: AuditLog;
  names: Names;
  /** The roles that still exist. Admins get links to them. */
  roles: Names;
  reader: number;
  orgId: string;
};

const aboutRoles = new Set<number>([ACTIVITY_TYPE.roleInformation, ACTIVITY_TYPE.permission]);

export function Sentence({ row, names, roles, reader, orgId }: Props) {
  const parts = partsOf(tell(row, names, reader));
  const roleId = aboutRoles.has(row.activityType) ? String(row.recordId) : undefined;
  return parts.map(({ text, place }) => {
    if (place === undefined) return text;
    // People choose these names. `bdi` keeps one from changing the direction of the text around it.
    const words = <bdi className={place === 'who' ? styles.who : undefined}>{text}</bdi>;
    const isLink = place === 'role' && roleId !== undefined && roleId in roles;
    return isLink ? (
      <Link key={place} to="/$orgId/organization/role/$roleId" params={{ orgId, roleId }}>
        {words}
      </Link>
    ) : (
      <span key={place}>{words}</span>
    );
  });
}
