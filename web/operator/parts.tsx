import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ActName } from '#contract/operator/acts.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Card } from '#web/ui/sections.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { ActDialog, isHarm, labelOf, Lines, NOBODY } from './act-dialog.tsx';
import { type Answer, changesOf, mayDo, messageOf, type PartProps, run } from './calls.ts';
import styles from './desk.module.css';
import { words } from './words.ts';

export const Failed = ({ message, onRetry }: { message: string; onRetry: () => void }) => (
  <Notice
    kind="danger"
    title={words.notLoaded}
    action={
      <Button size="small" onClick={onRetry}>
        {words.tryAgain}
      </Button>
    }
  >
    {message}
  </Notice>
);

export const useLook = (name: ActName, input: Readonly<Record<string, unknown>> = {}) =>
  useQuery({ queryKey: [name, input], queryFn: () => run(name, input), retry: false, gcTime: 0 });

const Loading = () => (
  <div className={styles.stack} aria-busy="true">
    <span className="visually-hidden">{words.loading}</span>
    <Skeleton width="half" />
    <Skeleton />
    <Skeleton width="third" />
  </div>
);

type Shows = { look: ReturnType<typeof useLook>; children?: (answer: Answer) => ReactNode };
/** A look in each of its states. */
export function Shown({ look: { data, error, refetch }, children }: Shows) {
  if (error) return <Failed message={messageOf(error)} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  return children ? children(data) : <Lines lines={data.lines} />;
}

type ActsProps = Omit<PartProps, 'level'> & {
  names: readonly ActName[];
  subject?: { readonly [word: string]: string };
  about?: string | undefined;
  onDone: () => void;
};
/** Buttons for changes, each with its dialog. */
export function Acts({ names, ways, subject = NOBODY, about, onDone }: ActsProps) {
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
        <ActDialog
          name={open}
          subject={subject}
          about={about}
          ways={ways}
          onClose={() => setOpen(undefined)}
          onDone={onDone}
        />
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

type SubjectsProps = PartProps & { on: 'application' | 'webhook'; list: ActName; group?: string };
type Row = {
  client_id?: string;
  name?: string;
  url?: string;
  paused_at?: string | null;
  isPaused?: boolean;
  switchedOffTime?: string | null;
};
const isStopped = ({ paused_at: pausedAt, isPaused, switchedOffTime }: Row) =>
  Boolean(pausedAt ?? switchedOffTime ?? isPaused);
/** The applications or webhooks of the suite, each with its changes. */
export function Subjects({ level, ways, on, list, group }: SubjectsProps) {
  const look = useLook(list);
  const names = changesOf(level, on);
  const added = group ? changesOf(level, undefined, group) : [];
  return (
    <Shown look={look}>
      {({ data, lines }) => (
        <div className={styles.stack}>
          {(data as readonly Row[]).length === 0 && <p>{words.nothing}</p>}
          {(data as readonly Row[]).map((row, at) => {
            const id = (on === 'webhook' ? row.url : row.client_id) ?? '';
            return (
              <Card key={id} title={row.name ?? id}>
                <Lines lines={lines.slice(at, at + 1)} />
                <Acts
                  names={names.filter((name) => !name.endsWith(isStopped(row) ? 'pause' : 'resume'))}
                  ways={ways}
                  subject={{ [on]: id }}
                  about={row.name ?? id}
                  onDone={() => void look.refetch()}
                />
              </Card>
            );
          })}
          {added.length > 0 && <Acts names={added} ways={ways} onDone={() => void look.refetch()} />}
        </div>
      )}
    </Shown>
  );
}
