import { useState } from 'react';
import { deskActs } from '#contract/operator/desk.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Card, FieldGrid } from '#web/ui/sections.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { Lines } from './act-dialog.tsx';
import styles from './desk.module.css';
import { Shown, useNewest } from './parts.tsx';
import { words } from './words.ts';

const options = [
  { value: '', label: words.everyAct },
  ...deskActs.map((name) => ({ value: name, label: name.replaceAll('-', ' ') })),
];
const everything = { since: '', until: '', action: '', person: '' };

export function Log() {
  const [typed, setTyped] = useState(everything);
  const [filter, setFilter] = useState(everything);
  const given = Object.entries(filter).filter(([, value]) => value !== '');
  const { look, more, startAgain } = useNewest('log', Object.fromEntries(given));
  const field = (name: keyof typeof everything) => ({
    name,
    value: typed[name],
    onChange: ({ target }: { target: { value: string } }) =>
      setTyped({ ...typed, [name]: target.value.trim() }),
  });
  return (
    <div className={styles.stack}>
      <search>
        <form
          className={styles.stack}
          onSubmit={(event) => {
            event.preventDefault();
            startAgain();
            setFilter(typed);
          }}
        >
          <FieldGrid>
            <TextField label={words.from} type="date" {...field('since')} />
            <TextField label={words.before} type="date" {...field('until')} />
            <SelectField label={words.act} options={options} {...field('action')} />
            <TextField label={words.personId} {...field('person')} />
          </FieldGrid>
          <div className={styles.acts}>
            <Button type="submit" kind="primary">
              {words.show}
            </Button>
          </div>
        </form>
      </search>
      <Card>
        <Shown look={look}>
          {({ lines, data }) => (
            <div className={styles.stack}>
              <Lines lines={lines} />
              {more(data.length)}
            </div>
          )}
        </Shown>
      </Card>
    </div>
  );
}
