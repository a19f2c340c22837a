import { personName } from '#contract/profile/person-name.ts';
import { membersText as text } from '#words/members.ts';
import { Pill, type PillTone } from '#web/ui/pill.tsx';
import styles from './members.module.css';
import { count, type Line, type Result } from './use-invitations.ts';
import { Named } from '#web/ui/named.tsx';

const tones: Record<Result, PillTone> = {
  ready: 'neutral',
  sending: 'accent',
  invited: 'good',
  present: 'neutral',
  repeated: 'neutral',
  invalid: 'bad',
  limit: 'warn',
  failed: 'bad',
};

export function InvitationLines({ lines, hasStarted }: { lines: readonly Line[]; hasStarted: boolean }) {
  const invited = count(lines, 'invited');
  const present = count(lines, 'present');
  const repeated = count(lines, 'repeated');
  const others = lines.length - invited - present - repeated;
  const counts = { invited, present, others };
  const answeredLines = lines.length - count(lines, 'ready', 'sending');
  return (
    <>
      {hasStarted && (
        <div className={styles.progress}>
          <progress value={answeredLines} max={lines.length} aria-label={text.manyTitle} />
          <span className="tabular">{text.progress({ done: answeredLines, count: lines.length })}</span>
          <output>
            {repeated > 0 ? text.summaryRepeated({ ...counts, repeated }) : text.summary(counts)}
          </output>
        </div>
      )}
      <ul className={styles.lines} aria-label={text.lines}>
        {lines.map(({ id, email, firstName, lastName, result, why }) => (
          <li key={id}>
            <div>
              <span>
                <Named>{personName(firstName, lastName, null)}</Named>
              </span>
              {firstName !== email && <span className={styles.sub}>{email}</span>}
              {why && <span className={styles.sub}>{why}</span>}
            </div>
            <Pill tone={tones[result]}>{text.results[result]}</Pill>
          </li>
        ))}
      </ul>
    </>
  );
}
