import { type ComponentProps, type FormEvent, useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Card } from '#web/ui/sections.tsx';
import { Lines } from './act-dialog.tsx';
import { type Answer, changesOf, type PartProps } from './calls.ts';
import styles from './desk.module.css';
import { Acts, Shown, useLook } from './parts.tsx';
import { words } from './words.ts';

type Found = { id: number; name: string; email: string | null; organizations: readonly string[] };
const MOST = 20;

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
      {({ data, lines }) => {
        const found = data as readonly Found[];
        if (found.length === 0) return <Lines lines={lines} />;
        return (
          <ul className={styles.people} aria-label={words.people}>
            {found.map(({ id, name, email, organizations }) => (
              <li key={id}>
                <span>
                  <strong>{name}</strong>
                  <span className={styles.hint}>{[email, ...organizations].filter(Boolean).join(' · ')}</span>
                </span>
                <Button size="small" href={`#people/${id}`}>
                  {words.open}
                  <span className="visually-hidden"> {name}</span>
                </Button>
              </li>
            ))}
            {found.length === MOST && <li className={styles.hint}>{words.twenty}</li>}
          </ul>
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
function factsOf({ lines, data }: Answer) {
  const { next } = data as { readonly next: readonly string[] };
  const facts = sectionsOf(lines.slice(1)).map(({ title, lines: inner }) => [
    title,
    title === words.nextSignIn ? (
      <ol key={title} className={styles.chain}>
        {next.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    ) : (
      <Lines key={title} lines={inner} />
    ),
  ]);
  return Object.fromEntries(facts) as ComponentProps<typeof Facts>['facts'];
}

function Person({ level, ways, open = '' }: PartProps) {
  const subject = { person: open };
  const look = useLook('person', subject);
  const [, name, email] = look.data?.lines[0]?.split('  ') ?? [];
  return (
    <Card
      {...(name && { title: name })}
      {...(email && { lead: email })}
      actions={
        <Button size="small" href="#people">
          {words.all}
        </Button>
      }
    >
      <div className={styles.stack}>
        <Shown look={look}>
          {(answer) => (answer.data ? <Facts facts={factsOf(answer)} /> : <Lines lines={answer.lines} />)}
        </Shown>
        {look.data?.data !== null && look.data && (
          <Acts
            names={changesOf(level, 'person')}
            ways={ways}
            subject={subject}
            about={[name, email].join(', ')}
            onDone={() => void look.refetch()}
          />
        )}
      </div>
    </Card>
  );
}
