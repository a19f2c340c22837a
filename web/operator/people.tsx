import { type FormEvent, useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Card } from '#web/ui/sections.tsx';
import { changesOf, type PartProps } from './calls.ts';
import styles from './desk.module.css';
import { Acts, Shown, useLook } from './parts.tsx';
import { words } from './words.ts';

type Found = { id: number; name: string; email: string | null; organizations: readonly string[] };
const MOST = 20;

export function People(props: PartProps) {
  const [typed, setTyped] = useState('');
  const [sought, setSought] = useState('');
  const [person, setPerson] = useState<number>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setPerson(undefined);
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
      {sought !== '' && person === undefined && <Results sought={sought} onOpen={setPerson} />}
      {person !== undefined && <Person {...props} id={person} onBack={() => setPerson(undefined)} />}
    </div>
  );
}

type ResultsProps = { sought: string; onOpen: (id: number) => void };
function Results({ sought, onOpen }: ResultsProps) {
  const look = useLook('find', { words: sought });
  return (
    <Shown look={look}>
      {({ data }) => {
        const found = data as readonly Found[];
        return (
          <ul className={styles.people} aria-label={words.people}>
            {found.map(({ id, name, email, organizations }) => (
              <li key={id}>
                <span>
                  <strong>{name}</strong>
                  <span className={styles.hint}>{[email, ...organizations].filter(Boolean).join(' · ')}</span>
                </span>
                <Button size="small" onClick={() => onOpen(id)}>
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

type PersonProps = PartProps & { id: number; onBack: () => void };
function Person({ id, level, ways, onBack }: PersonProps) {
  const subject = { person: String(id) };
  const look = useLook('person', subject);
  return (
    <Card
      actions={
        <Button size="small" onClick={onBack}>
          {words.all}
        </Button>
      }
    >
      <div className={styles.stack}>
        <Shown look={look} />
        <Acts
          names={changesOf(level, 'person')}
          ways={ways}
          subject={subject}
          onDone={() => void look.refetch()}
        />
      </div>
    </Card>
  );
}
