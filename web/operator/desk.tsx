import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { product } from '#contract/product.ts';
import { deskEntry } from '#contract/operator/desk.ts';
import { call } from '#web/lib/call.ts';
import { Button } from '#web/ui/button.tsx';
import { Brand } from '#web/ui/mark.tsx';
import { Card, PageHeader } from '#web/ui/sections.tsx';
import { Applications } from './applications.tsx';
import { entryQuery, mayDo, type PartProps } from './calls.ts';
import styles from './desk.module.css';
import { Log } from './log.tsx';
import { Failed, Look } from './parts.tsx';
import { People } from './people.tsx';
import { Proof } from './proof.tsx';
import { Requests } from './requests.tsx';
import { Today } from './today.tsx';
import { Webhooks } from './webhooks.tsx';
import { words } from './words.ts';

const parts = [
  { hash: 'today', title: words.today, act: 'status', Part: Today },
  { hash: 'people', title: words.people, act: 'find', Part: People },
  { hash: 'requests', title: words.requests, act: 'requests', Part: Requests },
  { hash: 'applications', title: words.applications, act: 'applications list', Part: Applications },
  { hash: 'webhooks', title: 'Webhooks', act: 'webhooks list', Part: Webhooks },
  {
    hash: 'keys',
    title: 'Keys',
    act: 'keys list',
    Part: (props: PartProps) => <Look {...props} name="keys list" changes={['keys rotate']} />,
  },
  {
    hash: 'jobs',
    title: 'Jobs and mails',
    act: 'jobs',
    Part: (props: PartProps) => <Look {...props} name="jobs" changes={['retry', 'mails test']} />,
  },
  { hash: 'log', title: 'Log', act: 'log', Part: Log },
  {
    hash: 'operators',
    title: 'Operators',
    act: 'operators list',
    Part: (props: PartProps) => <Look {...props} name="operators list" />,
  },
] as const;

/** The part that the address names, and what is open in it: `people/42`. */
const hashNow = () => location.hash.slice(1);
const watchHash = (listener: () => void) => {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
};

/** On a narrow screen they scroll sideways, so the one that is open scrolls into view. */
type PartsProps = { shown: readonly (typeof parts)[number][]; here: string; waiting: number };
function Parts({ shown, here, waiting }: PartsProps) {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const show = () =>
      nav.current
        ?.querySelector(`[href="#${here}"]`)
        ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    show();
    addEventListener('resize', show);
    return () => removeEventListener('resize', show);
  }, [here]);
  return (
    <nav ref={nav} className={styles.parts} aria-label={words.sections}>
      {shown.map(({ hash, title }) => (
        <a key={hash} href={`#${hash}`} aria-current={hash === here ? 'page' : undefined}>
          {hash === 'requests' && waiting > 0 ? `${title} (${waiting})` : title}
        </a>
      ))}
    </nav>
  );
}

export function DeskPage() {
  const { data: entry, error, refetch } = useQuery(entryQuery);
  const [hash, open] = useSyncExternalStore(watchHash, hashNow).split('/');
  const isOpen = Boolean(entry?.openUntil);
  const [wasOpen, setWasOpen] = useState(false);
  if (isOpen && !wasOpen) setWasOpen(true);
  const shown = parts.filter(({ act }) => mayDo(entry?.level ?? 'support', act));
  const { title, hash: here, Part } = shown.find((part) => part.hash === hash) ?? shown[0] ?? parts[0];

  useEffect(() => {
    document.title = `${isOpen ? title : words.title} · ${product.name}`;
  }, [isOpen, title]);

  const leave = async () => {
    await call(deskEntry.leave, {});
    location.assign('/');
  };
  return (
    <div className={styles.desk}>
      <header className={styles.bar}>
        <Brand />
        <span className={styles.name}>{words.title}</span>
        <a href="/">{words.back}</a>
        {isOpen && (
          <Button size="small" onClick={() => void leave().catch(() => void refetch())}>
            {words.leave}
          </Button>
        )}
      </header>
      {isOpen && <Parts shown={shown} here={here} waiting={entry?.waiting ?? 0} />}
      <main className={styles.main}>
        {error && <Failed error={error} onRetry={() => void refetch()} />}
        {!entry && !error && <p aria-busy="true">{words.loading}</p>}
        {entry && !isOpen && (
          <div className={styles.entry}>
            <PageHeader title={words.enterTitle} lead={wasOpen ? words.ended : words.enterLead} />
            <Card>
              <Proof ways={entry.ways} onProven={() => void refetch()} />
            </Card>
          </div>
        )}
        {entry && isOpen && (
          <>
            <PageHeader title={title} />
            <Part key={here} level={entry.level} ways={entry.ways} open={open} />
          </>
        )}
      </main>
    </div>
  );
}
