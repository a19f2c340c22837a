// The part of the operator's desk that finds a person and shows what keeps them from signing in.
import { type ComponentProps, type FormEvent, useState } from 'react';
import type { ActName } from '#contract/operator/acts.ts';
import type { LookData } from '#contract/operator/looks.ts';
import { Button } from '#web/ui/button.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Card } from '#web/ui/sections.tsx';
import { Lines } from './act-dialog.tsx';
import { changesOf, mayChange, type PartProps } from './calls.ts';
import styles from './desk.module.css';
import { Acts, Entries, Shown, useLook, useNewest } from './parts.tsx';
import { RequestAnswer, waitingOf } from './requests.tsx';
import { momentOf, sentenceOf, words } from './words.ts';

const MOST = 20;
const shownName = (name = '') => (name === '(no name)' ? words.noName : name);

export function People(props: PartProps) {
  const [typed, setTyped] = useState('');
  const [sought, setSought] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    location.hash = 'people';
    setSought(typed.trim());
  };
  return (
    <div className={styles.stack}>
      <search>
        <form className={styles.search} onSubmit={submit}>
          <TextField
            label={words.search}
            type="search"
            name="words"
            autoComplete="off"
            required
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
          <Button type="submit" kind="primary">
            {words.find}
          </Button>
        </form>
      </search>
      {sought !== '' && !props.open && <Results sought={sought} />}
      {props.open && <Person key={props.open} {...props} />}
    </div>
  );
}

function Results({ sought }: { sought: string }) {
  const look = useLook('find', { words: sought });
  return (
    <Shown look={look}>
      {({ data: found, lines }) => {
        if (found.length === 0) return <Lines lines={lines} />;
        const entries = found.map(({ id, name, email, organizations }) => ({
          id: String(id),
          title: shownName(name),
          hint: [email, ...organizations].filter(Boolean).join(' · '),
          href: `#people/${id}`,
        }));
        return (
          <Entries
            label={words.people}
            entries={entries}
            note={found.length === MOST ? words.twenty : undefined}
          />
        );
      }}
    </Shown>
  );
}

/** The headings of the terminal's answer, each with its indented lines. */
function sectionsOf(lines: readonly string[]) {
  const sections: { title: string; lines: string[] }[] = [];
  for (const line of lines)
    if (line.startsWith(' ')) sections.at(-1)?.lines.push(line.trim());
    else sections.push({ title: line.replace(/:$/, ''), lines: [] });
  return sections;
}
type Details = NonNullable<LookData<'person'>>;
function factsOf(lines: readonly string[], { next }: Details) {
  const facts = sectionsOf(lines.slice(1)).flatMap(({ title, lines: inner }) =>
    // The notices above show it, each beside what ends it.
    title === words.state
      ? []
      : [
          [
            title,
            title === words.nextSignIn ? (
              <ol key={title} className={styles.chain}>
                {next.map((step) => (
                  <li key={step}>{step}</li>
                ))}
              </ol>
            ) : (
              <Lines key={title} lines={inner.map((line) => (line === '(none)' ? words.none : line))} />
            ),
          ],
        ],
  );
  return Object.fromEntries(facts) as ComponentProps<typeof Facts>['facts'];
}

/** A restriction or deletion has its act beside it. */
const endings: ReadonlySet<ActName> = new Set<ActName>(['lift', 'restore-account']);
type ActsProps = ComponentProps<typeof Acts>;
type StateProps = Pick<PartProps, 'level'> & { state: Details['state']; acts: Omit<ActsProps, 'names'> };
function State({ level, state, acts }: StateProps) {
  const { restriction, deletion, requests, waits } = state;
  const ending = (name: ActName, isMine = true) =>
    isMine && mayChange(level, name) ? <Acts {...acts} names={[name]} /> : words.byFull;
  return (
    <>
      {restriction && (
        <Notice kind="warning" action={ending('lift', level === 'full' || !state.isByOperator)}>
          {sentenceOf(restriction)}
        </Notice>
      )}
      {deletion && (
        <Notice kind="warning" action={ending('restore-account')}>
          {sentenceOf(deletion)}
        </Notice>
      )}
      {waits.map((wait) => (
        <Notice key={wait} kind="warning" action={ending('lift', level === 'full' || !state.isByOperator)}>
          {sentenceOf(wait)}
        </Notice>
      ))}
      {requests.map((request) => (
        <Notice
          key={request.id}
          kind="info"
          title={words.waits}
          action={
            <RequestAnswer
              id={request.id}
              askedBy={request.asked_by_id}
              ways={acts.ways}
              onDone={() => acts.onDone('requests')}
            />
          }
        >
          {waitingOf(request)}
        </Notice>
      ))}
    </>
  );
}

function Person({ level, ways, open = '' }: PartProps) {
  const subject = { person: open };
  const look = useLook('person', subject);
  const [, name, email] = look.data?.lines[0]?.split('  ') ?? [];
  const details = look.data?.data;
  const acts = {
    ways,
    subject,
    about: [shownName(name), email].join(', '),
    onDone: () => void look.refetch(),
  };
  return (
    <>
      <Card
        {...(name && { title: shownName(name) })}
        {...(email && { lead: email })}
        actions={
          <Button size="small" href="#people">
            {words.all}
          </Button>
        }
      >
        {details && <State level={level} state={details.state} acts={acts} />}
        <Shown look={look}>
          {({ lines, data }) => (data ? <Facts facts={factsOf(lines, data)} /> : <Lines lines={lines} />)}
        </Shown>
        {details && <Acts {...acts} names={changesOf(level, 'person').filter((act) => !endings.has(act))} />}
      </Card>
      {details && <Activity person={open} />}
    </>
  );
}

/** Shown when asked for only, because each look is a row of the log and one of few in an hour. */
function Activity({ person }: { person: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Card title={words.activity} lead={words.activityLead}>
      {isOpen ? (
        <ActivityList person={person} />
      ) : (
        <div className={styles.acts}>
          <Button size="small" onClick={() => setOpen(true)}>
            {words.showActivity}
          </Button>
        </div>
      )}
    </Card>
  );
}

function ActivityList({ person }: { person: string }) {
  const { look, more } = useNewest('activity', { person });
  return (
    <Shown look={look}>
      {({ data: { devices, acts } }) => {
        return (
          <div className={styles.stack}>
            <h3>{words.devices}</h3>
            <Entries
              label={words.devices}
              none={words.signedInNowhere}
              entries={devices.map(({ device, since, last_seen: lastSeen }) => ({
                id: `${device} ${momentOf(since)}`,
                title: device,
                hint: words.deviceSince({ since: momentOf(since), lastSeen: momentOf(lastSeen) }),
              }))}
            />
            <h3>{words.acts}</h3>
            <Entries
              label={words.acts}
              none={words.nothingDone}
              entries={acts.map(({ at, what, changes, origin }, place) => ({
                id: String(place),
                title: what,
                hint: [momentOf(at), origin].filter(Boolean).join(' · '),
                more: changes,
              }))}
            />
            {more(acts.length)}
          </div>
        );
      }}
    </Shown>
  );
}
