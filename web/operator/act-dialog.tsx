import { useState } from 'react';
import { optionsOf, wordsOf } from '#contract/operator/act.ts';
import { type ActName, actNamed } from '#contract/operator/acts.ts';
import { Button } from '#web/ui/button.tsx';
import { CopyField } from '#web/ui/copy-field.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { ActField, inputOf, type Today, type Values } from './act-fields.tsx';
import { type Answer, run } from './calls.ts';
import styles from './desk.module.css';
import { ProofDialog, useAttempt } from './proof.tsx';
import { labelOf, sentenceOf, words } from './words.ts';

/** These close an account or cannot be taken back. */
export const isHarm = (name: ActName) => /end-sessions|restrict|reset|remove|pause|rotate/.test(name);

/** For acts that are about nothing in particular. */
export const NOBODY = {};

type Props = {
  name: ActName;
  /** The person, application or webhook that the page has chosen, under the act's first word. */
  subject?: { readonly [word: string]: string };
  /** Whom or what it is about, in words. */
  about?: string | undefined;
  ways: readonly ('passkey' | 'app')[];
  today?: Today;
  onClose: () => void;
  /** When its answer is read: before, what the page shows would change under it. */
  onDone: () => void;
};

export function ActDialog({ name, subject = NOBODY, about, ways, today, onClose, onDone }: Props) {
  const act = actNamed(name);
  const needed = wordsOf(act);
  const all = Object.entries({ ...needed, ...optionsOf(act) });
  const fields = all.filter(([field]) => !(field in subject) && field !== 'reason');
  const [values, setValues] = useState<Values>({});
  const { isBusy = false, failure, isToProve, attempt } = useAttempt();
  const [answer, setAnswer] = useState<Answer>();
  const set = (field: string, value: string | boolean) =>
    setValues((before) => ({ ...before, [field]: value }));

  const send = () =>
    attempt(async () => setAnswer(await run(name, { ...inputOf(all, values, today), ...subject })));

  if (answer) {
    const close = () => {
      onClose();
      onDone();
    };
    return (
      <Dialog
        title={isAsked(answer.data) ? words.waits : words.done}
        onClose={close}
        footer={<Button onClick={close}>{words.close}</Button>}
      >
        <div className={styles.stack}>
          <Secrets data={answer.data} />
          <Lines lines={answer.lines.filter((line) => !/^(client ID|secret) /.test(line))} />
        </div>
      </Dialog>
    );
  }
  if (isToProve) return <ProofDialog ways={ways} onProven={() => void send()} onClose={onClose} />;
  return (
    <FormDialog
      title={labelOf(name)}
      description={
        <>
          <span>
            {sentenceOf(
              act.does
                .replace(/ \(--[^)]*\)/, '')
                .replace(/--([a-z-]+)/, (_, option: string) => labelOf(option).toLowerCase()),
            )}
          </span>
          {act.takesTwo && (
            <span>{act.takesTwo === 'always' ? words.takesTwo : words.takesTwoFirstParty}</span>
          )}
          {about && <strong className={styles.about}>{about}</strong>}
        </>
      }
      onClose={onClose}
      form={{ props: { onSubmit: () => void send() }, busy: isBusy }}
      filled={Object.keys(values).length > 0}
      kind={isHarm(name) ? 'danger' : 'primary'}
      act={act.takesTwo === 'always' || values['first-party'] ? words.askSecond : labelOf(name)}
    >
      <div className={styles.stack}>
        {failure && <Notice kind="danger">{failure}</Notice>}
        {fields.map(([field, one]) => (
          <ActField
            key={field}
            name={field}
            field={one}
            isNeeded={field in needed}
            today={today}
            values={values}
            onChange={set}
          />
        ))}
        {act.row && (
          <TextField
            label={words.reason}
            hint={words.reasonHint}
            name="reason"
            required
            maxLength={200}
            value={String(values['reason'] ?? '')}
            onChange={(event) => set('reason', event.target.value)}
          />
        )}
      </div>
    </FormDialog>
  );
}

/** The act waits for a second operator. */
const isAsked = (data: unknown) => typeof data === 'object' && data !== null && 'request' in data;

/** The secret and id in an answer, shown this once, to be copied. */
function Secrets({ data }: { data: unknown }) {
  const shown = Object.entries({ ...(data as Readonly<Record<string, unknown>> | null) });
  return shown.map(([name, value]) =>
    /^(client_id|client_secret|secret)$/.test(name) && typeof value === 'string' ? (
      <CopyField key={name} label={labelOf(name.replace('_', ' '))} value={value} />
    ) : null,
  );
}

/** The terminal parts columns by spaces, and writes times whole. */
const spokenLine = (line: string) =>
  line
    .trim()
    .replaceAll(/ {2,}/g, ' · ')
    .replaceAll(/(\d{4}-\d\d-\d\d)T(\d\d:\d\d):[\d.]+Z/g, '$1 $2 UTC');

export const Lines = ({ lines }: { lines: readonly string[] }) => (
  <ul className={styles.lines}>
    {lines
      .map((line, at) => ({ line, key: String(at) }))
      .map(({ line, key }) => (
        <li key={key} className={line.startsWith('    ') ? styles.inner : undefined}>
          {spokenLine(line)}
        </li>
      ))}
  </ul>
);
