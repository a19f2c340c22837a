import { ChevronDown, ArrowRight } from 'lucide-react';
import { type AuditLog, ABOUT_ROLES } from '#contract/activity/calls.ts';
import {
  detailsOf,
  moduleLabel,
  plainSentence,
  tell,
  originText,
  partsOf,
} from '#contract/activity/words.ts';
import { activityPageText as text } from '#words/activity-page.ts';
import { activityValuesText } from '#words/activity-values.ts';
import type { User } from '#contract/profile/user.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import type { Column } from '#web/ui/table.tsx';
import styles from './activity.module.css';
import type { Line, Names } from './log.ts';
import { Link } from '@tanstack/react-router';

type Options = {
  names: Names;
  roles: Names;
  reader: Pick<User, 'id' | 'profilePictureUrl'>;
  orgId: string;
  time: (moment: Date) => string;
  moment: (time: Date) => string;
  day: (time: Date) => string;
  onToggle: (id: number) => void;
};

const changesId = (id: number) => `changes-${id}`;

export function activityColumnsOf(options: Options): Column<Line>[] {
  const { names, roles, reader, orgId, time, moment, day, onToggle } = options;
  const ofRow = (draw: (row: AuditLog, isOpen: boolean) => React.ReactNode) => (line: Line) =>
    'row' in line && draw(line.row, line.isOpen);
  const sentenceOf = (row: AuditLog) => tell(row, names, reader.id, day);
  return [
    {
      key: 'time',
      head: text.time,
      role: 'plain',
      width: '90',
      cell: ofRow((row) => (
        <time className={styles.time} dateTime={row.createdAt.toISOString()} title={moment(row.createdAt)}>
          {time(row.createdAt)}
        </time>
      )),
    },
    {
      key: 'what',
      head: text.what,
      role: 'title',
      cell: ofRow((row, isOpen) => (
        <div className={styles.what}>
          <Avatar
            name={names[String(row.userId)] ?? activityValuesText.deletedUser}
            src={row.userId === reader.id ? reader.profilePictureUrl : undefined}
          />
          <div className={styles.words}>
            <p>
              <Sentence sentence={sentenceOf(row)} row={row} roles={roles} orgId={orgId} />
            </p>
            {isOpen && <Changes id={changesId(row.id)} row={row} moment={moment} />}
          </div>
        </div>
      )),
      skeleton: (
        <div className={styles.what}>
          <Skeleton shape="avatar" />
          <div className={styles.words}>
            <Skeleton width="half" />
          </div>
        </div>
      ),
    },
    {
      key: 'area',
      head: text.module,
      role: 'plain',
      width: '150',
      cell: ofRow((row) => <span className={styles.area}>{moduleLabel(row.module)}</span>),
    },
    {
      key: 'changes',
      head: text.details,
      role: 'actions',
      width: '70',
      cell: ofRow(
        (row, isOpen) =>
          (row.origin !== undefined || detailsOf(row).length > 0) && (
            <IconButton
              name={isOpen ? text.hideDetails : text.showDetails}
              about={`${plainSentence(sentenceOf(row))}, ${moment(row.createdAt)}`}
              icon={<ChevronDown className={isOpen ? styles.turned : undefined} />}
              aria-expanded={isOpen}
              aria-controls={isOpen ? changesId(row.id) : undefined}
              onClick={() => onToggle(row.id)}
            />
          ),
      ),
    },
  ];
}

type ChangesProps = { id: string; row: AuditLog; moment: (time: Date) => string };

function Changes({ id, row, moment }: ChangesProps) {
  return (
    <dl id={id} className={styles.changes}>
      {detailsOf(row, moment).map(({ label, before, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {before !== undefined && (
              <>
                <bdi className={styles.before}>{before}</bdi>
                <ArrowRight aria-hidden="true" />
                <span className="visually-hidden"> {text.changedTo} </span>
              </>
            )}
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
      {row.origin && (
        <div>
          <dt>{text.origin}</dt>
          <dd>{originText(row.origin)}</dd>
        </div>
      )}
    </dl>
  );
}

type SentenceProps = {
  sentence: ReturnType<typeof tell>;
  row: AuditLog;
  /** The roles that still exist. Admins get links to them. */
  roles: Names;
  orgId: string;
};

function Sentence({ sentence, row, roles, orgId }: SentenceProps) {
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
