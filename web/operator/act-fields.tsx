import type { Field } from '#contract/operator/act.ts';
import { settings } from '#contract/operator/application-settings.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { TextField } from '#web/ui/field.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { TextAreaField } from '#web/ui/text-area-field.tsx';
import { fieldWords, labelOf, sentenceOf, words } from './words.ts';

export type Values = Readonly<Record<string, string | boolean>>;
/** The values of today, by the option that sets them. */
export type Today = Readonly<Record<string, unknown>> | undefined;
type Fields = readonly (readonly [string, Field])[];

/** A setting has a value without its flag, so it takes three states. */
const isSetting = (name: string) => Object.hasOwn(settings, name);
const startOf = (name: string, { kind }: Field, today: Today) => {
  const value = today?.[name];
  if (kind === 'flag') return isSetting(name) ? '' : false;
  return Array.isArray(value) ? value.join('\n') : typeof value === 'string' ? value : '';
};

/** The fields that the operator changed. Each line of a list is a value, and one empty value empties the list. */
export const inputOf = (fields: Fields, values: Values, today: Today) =>
  Object.fromEntries(
    fields.flatMap(([name, field]): [string, unknown][] => {
      const value = values[name];
      if (value === undefined || value === startOf(name, field, today)) return [];
      if (field.kind === 'several') return [[name, String(value).trim().split(/\s+/)]];
      return [[name, field.kind === 'flag' ? value === true || value === 'yes' : value]];
    }),
  );

/** `<moment>  from it on` is a hint to read. */
function hintOf(name: string, { usage, kind }: Field) {
  const { hint, choices } = fieldWords[name] ?? {};
  if (hint !== undefined || choices) return hint;
  const [, value = '', does = ''] = /^[<[]?([^>\]]*?)[>\]]?(?:\s{2,}(.*))?$/.exec(usage) ?? [];
  const rest = kind === 'flag' ? usage : does || value;
  const plain = rest.replace(/; (may be repeated|an empty name removes it)|\(--no-[^)]*\)/, '').trim();
  const inLines = kind === 'several' ? `; ${words.aLineEach}` : '';
  return plain === '' || /^(text|address|file)$/.test(plain) ? undefined : sentenceOf(`${plain}${inLines}`);
}

const yesNo = (is: unknown) => (is === true ? words.yes : words.no).toLowerCase();
const flagOptions = (name: string, today: Today) => [
  { value: '', label: today ? words.unchanged({ is: yesNo(today[name]) }) : words.usual },
  { value: 'yes', label: words.yes },
  { value: 'no', label: words.no },
];
const choiceOptions = (choices: readonly string[], isNeeded: boolean, today: Today) => [
  ...(today ? [] : [{ value: '', label: isNeeded ? words.choose : words.usual }]),
  ...choices.map((value) => ({ value, label: labelOf(value) })),
];

type Props = {
  name: string;
  field: Field;
  isNeeded: boolean;
  today: Today;
  values: Values;
  onChange: (name: string, value: string | boolean) => void;
};
export function ActField({ name, field, isNeeded, today, values, onChange }: Props) {
  const value = values[name] ?? startOf(name, field, today);
  const shared = {
    label: labelOf(name),
    hint: hintOf(name, field),
    name,
    value: String(value),
    onChange: ({ target }: { target: { value: string } }) => onChange(name, target.value),
  };
  const choices = fieldWords[name]?.choices;
  if (choices)
    return <SelectField {...shared} required={isNeeded} options={choiceOptions(choices, isNeeded, today)} />;
  if (field.kind === 'flag' && isSetting(name))
    return <SelectField {...shared} options={flagOptions(name, today)} />;
  if (field.kind === 'flag')
    return (
      <Checkbox
        checked={value === true}
        onChange={({ target }) => onChange(name, target.checked)}
        label={shared.label}
        hint={shared.hint}
      />
    );
  if (field.kind === 'file') {
    const read = (file: File | undefined) => base64Of(file).then((read) => onChange(name, read));
    return (
      <TextField
        type="file"
        label={shared.label}
        hint={shared.hint}
        onChange={({ target }) => void read(target.files?.[0])}
      />
    );
  }
  if (field.kind === 'several') return <TextAreaField {...shared} />;
  return <TextField {...shared} required={isNeeded} />;
}

async function base64Of(file: File | undefined) {
  const bytes = new Uint8Array((await file?.arrayBuffer()) ?? []);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
