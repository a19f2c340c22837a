import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { LOG_MAX, LOG_SHOWN } from '#contract/operator/act.ts';
import type { ActName } from '#contract/operator/acts.ts';
import { CallError } from '#web/lib/call.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Card } from '#web/ui/sections.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { ActDialog, isHarm, Lines } from './act-dialog.tsx';
import { type Answer, mayDo, messageOf, type PartProps, run } from './calls.ts';
import styles from './desk.module.css';
import { labelOf, words } from './words.ts';

const answers = new Set([
  'user_not_found',
  'application_not_found',
  'org_not_found',
  'not_found',
  'invalid_input',
  'not_allowed',
]);
type FailedProps = { error: unknown; onRetry: () => void };
/** A refusal that asking again does not change is a sentence. Every other failure has a button. */
export function Failed({ error, onRetry }: FailedProps) {
  if (error instanceof CallError && answers.has(error.code))
    return (
      <Notice kind="info" announce>
        {error.message}
      </Notice>
    );
  return (
    <Notice
      kind="danger"
      title={words.notLoaded}
      action={
        <Button size="small" onClick={onRetry}>
          {words.tryAgain}
        </Button>
      }
    >
      {messageOf(error)}
    </Notice>
  );
}

type Input = Readonly<Record<string, unknown>>;
const looking = <N extends ActName>(name: N, input: Input) => ({
  queryKey: [name, input],
  queryFn: () => run(name, input),
  retry: false,
  gcTime: 0,
});
export const useLook = <N extends ActName>(name: N, input: Input = {}) => useQuery(looking(name, input));

/** A look at the newest entries, and a button for twice as many. The former ones stay until the new ones are here. */
export function useNewest<N extends ActName>(name: N, input: Input) {
  const [limit, setLimit] = useState(LOG_SHOWN);
  const look = useQuery({
    ...looking(name, { ...input, limit: String(limit) }),
    placeholderData: keepPreviousData,
  });
  const more = (shown: number) =>
    shown >= limit &&
    limit < LOG_MAX && (
      <div className={styles.acts}>
        <Button
          size="small"
          busy={look.isPlaceholderData}
          onClick={() => setLimit(Math.min(limit * 2, LOG_MAX))}
        >
          {words.more}
        </Button>
      </div>
    );
  return { look, more, startAgain: () => setLimit(LOG_SHOWN) };
}

const Loading = () => (
  <div className={styles.stack} aria-busy="true">
    <span className="visually-hidden">{words.loading}</span>
    <Skeleton width="half" />
    <Skeleton />
    <Skeleton width="third" />
  </div>
);

type Shows<N extends ActName> = {
  look: UseQueryResult<Answer<N>>;
  children?: (answer: Answer<N>) => ReactNode;
};
export function Shown<N extends ActName>({ look: { data, error, refetch }, children }: Shows<N>) {
  if (error) return <Failed error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  return children ? children(data) : <Lines lines={data.lines} />;
}

type ActsProps = Omit<PartProps, 'level'> & {
  names: readonly ActName[];
  subject?: { readonly [word: string]: string };
  about?: string | undefined;
  today?: Input | undefined;
  onDone: (name: ActName) => void;
};
export function Acts({ names, onDone, ...dialog }: ActsProps) {
  const [open, setOpen] = useState<ActName>();
  return (
    <div className={styles.acts}>
      {names.map((name) => (
        <Button
          key={name}
          size="small"
          kind={isHarm(name) ? 'danger-plain' : 'plain'}
          onClick={() => setOpen(name)}
        >
          {labelOf(name)}
        </Button>
      ))}
      {open && (
        <ActDialog {...dialog} name={open} onClose={() => setOpen(undefined)} onDone={() => onDone(open)} />
      )}
    </div>
  );
}

type LookProps = PartProps & { name: ActName; changes?: readonly ActName[] };
const NO_CHANGES: readonly ActName[] = [];
export function Look({ level, ways, name, changes = NO_CHANGES }: LookProps) {
  const look = useLook(name);
  const names = changes.filter((change) => mayDo(level, change));
  return (
    <Card>
      <div className={styles.stack}>
        <Shown look={look} />
        {names.length > 0 && <Acts names={names} ways={ways} onDone={() => void look.refetch()} />}
      </div>
    </Card>
  );
}

type Entry = {
  readonly id: string;
  readonly title: string;
  readonly hint: string;
  readonly more?: string;
  readonly href?: string;
};
type EntriesProps = { label: string; entries: readonly Entry[]; none?: string; note?: string | undefined };
export const Entries = ({ label, entries, none, note }: EntriesProps) => (
  <ul className={styles.entries} aria-label={label}>
    {entries.length === 0 && none && <li className={styles.hint}>{none}</li>}
    {entries.map(({ id, title, hint, more, href }) => (
      <li key={id}>
        <span>
          <strong>{title}</strong>
          {more && <span>{more}</span>}
          <span className={styles.hint}>{hint}</span>
        </span>
        {href && (
          <Button size="small" href={href}>
            {words.open}
            <span className="visually-hidden"> {title}</span>
          </Button>
        )}
      </li>
    ))}
    {note && <li className={styles.hint}>{note}</li>}
  </ul>
);
