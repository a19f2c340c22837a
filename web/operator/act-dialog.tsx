import { type FormEvent, useState } from 'react';
import { type Field, optionsOf, wordsOf } from '#contract/operator/act.ts';
import { type ActName, actNamed } from '#contract/operator/acts.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { CopyField } from '#web/ui/copy-field.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { TextAreaField } from '#web/ui/text-area-field.tsx';
import { type Answer, messageOf, needsProof, run } from './calls.ts';
import styles from './desk.module.css';
import { Proof } from './proof.tsx';
import { words } from './words.ts';

const labels: Readonly<Record<string, string>> = {
  'keys rotate': 'Rotate keys',
  'mails test': 'Send a test mail',
  'applications add': 'Register an application',
  'webhooks add': 'Add a webhook',
  retry: 'Retry jobs',
};
/** `end-sessions` is the button "End sessions". */
export const labelOf = (name: string) => {
  const label = labels[name];
  if (label !== undefined) return label;
  const spoken = name.replace(/^(applications|webhooks|keys|mails) /, '').replaceAll('-', ' ');
  return spoken.charAt(0).toUpperCase() + spoken.slice(1);
};
/** These close an account or cannot be taken back. */
export const isHarm = (name: ActName) => /end-sessions|restrict|reset|remove|pause|rotate/.test(name);

/** For acts that are about nothing in particular. */
export const NOBODY = {};

type Values = Record<string, string | boolean>;
/** An empty field is left out; each line of a list is a value. */
const inputOf = (fields: readonly (readonly [string, Field])[], values: Values) =>
  Object.fromEntries(
    fields.flatMap(([name, { kind }]) => {
      const value = values[name];
      if (value === undefined || value === '' || value === false) return [];
      return [[name, kind === 'several' ? String(value).split(/\s+/) : value]];
    }),
  );

type Props = {
  name: ActName;
  /** The person, application or webhook that the page has chosen, under the act's first word. */
  subject?: { readonly [word: string]: string };
  /** Whom or what it is about, in words. */
  about?: string | undefined;
  ways: readonly ('passkey' | 'app')[];
  onClose: () => void;
  onDone: () => void;
};

/** The form of an act from its row in the table, its proof, and its answer. */
export function ActDialog({ name, subject = NOBODY, about, ways, onClose, onDone }: Props) {
  const act = actNamed(name);
  const all = Object.entries({ ...wordsOf(act), ...optionsOf(act) });
  const fields = all.filter(([field]) => !(field in subject) && field !== 'reason');
  const [values, setValues] = useState<Values>({});
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const [isProving, setProving] = useState(false);
  const [answer, setAnswer] = useState<Answer>();
  const set = (field: string, value: string | boolean) =>
    setValues((before) => ({ ...before, [field]: value }));

  const send = async () => {
    setBusy(true);
    setFailure('');
    try {
      setAnswer(await run(name, { ...inputOf(all, values), ...subject }));
      onDone();
    } catch (error) {
      if (needsProof(error)) setProving(true);
      else setFailure(messageOf(error));
    }
    setBusy(false);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send();
  };

  if (answer)
    return (
      <Dialog title={words.done} onClose={onClose} footer={<Button onClick={onClose}>{words.close}</Button>}>
        <div className={styles.stack}>
          <Secrets data={answer.data} />
          <Lines lines={answer.lines.filter((line) => !/^(client id|secret) /.test(line))} />
        </div>
      </Dialog>
    );
  if (isProving)
    return (
      <Dialog title={words.enterTitle} description={words.proveLead} onClose={onClose}>
        <Proof
          ways={ways}
          onProven={() => {
            setProving(false);
            void send();
          }}
        />
      </Dialog>
    );
  return (
    <Dialog
      title={labelOf(name)}
      description={
        <>
          <span>
            {sentenceOf(
              act.does.replace(/--([a-z-]+)/, (_, option: string) => labelOf(option).toLowerCase()),
            )}
          </span>
          {about && <strong className={styles.about}>{about}</strong>}
        </>
      }
      onClose={onClose}
      onSubmit={submit}
      busy={isBusy}
      filled={Object.keys(values).length > 0}
      footer={
        <>
          <Button onClick={onClose} disabled={isBusy}>
            {words.cancel}
          </Button>
          <Button kind={isHarm(name) ? 'danger' : 'primary'} type="submit" busy={isBusy}>
            {labelOf(name)}
          </Button>
        </>
      }
    >
      <div className={styles.stack}>
        {failure !== '' && <Notice kind="danger">{failure}</Notice>}
        {fields.map(([field, { kind, usage }]) =>
          kind === 'flag' ? (
            <Checkbox
              key={field}
              checked={values[field] === true}
              onChange={(event) => set(field, event.target.checked)}
              label={labelOf(field)}
              hint={sentenceOf(usage)}
            />
          ) : kind === 'file' ? (
            <TextField
              key={field}
              type="file"
              label={labelOf(field)}
              hint={hintOf(usage)}
              onChange={({ target }) => void base64Of(target.files?.[0]).then((value) => set(field, value))}
            />
          ) : kind === 'several' ? (
            <TextAreaField
              key={field}
              label={labelOf(field)}
              hint={`${hintOf(usage).replace('; may be repeated', '')}; ${words.aLineEach}`}
              name={field}
              value={String(values[field] ?? '')}
              onChange={(event) => set(field, event.target.value)}
            />
          ) : (
            <TextField
              key={field}
              label={labelOf(field)}
              hint={hintOf(usage)}
              name={field}
              value={String(values[field] ?? '')}
              onChange={(event) => set(field, event.target.value)}
            />
          ),
        )}
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
    </Dialog>
  );
}

/** `<moment>  from it on` is a hint to read. */
const hintOf = (usage: string) => usage.replace(/^[<[]([^>\]]*)[>\]]\s*/, '$1: ').replace(/: $/, '');
export const sentenceOf = (usage: string) => `${usage.charAt(0).toUpperCase()}${usage.slice(1)}.`;

async function base64Of(file: File | undefined) {
  const bytes = new Uint8Array((await file?.arrayBuffer()) ?? []);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

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

/** An answer in the lines that the terminal prints. */
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
