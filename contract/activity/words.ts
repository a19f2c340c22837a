import { SOURCE_LANGUAGE } from '#contract/languages.ts';
import { spokenLanguage } from '#words/language.ts';
import { ACTION, ACTIVITY_TYPE, DIRECTORY_ID, MODULE, OPERATOR_ID, type ActivityOrigin } from './calls.ts';
import { dayIn } from '#contract/dates.ts';
import { type Place, type Sentence, sentenceOf } from './sentences.ts';
import { nameList } from '#contract/list-words.ts';
import { problemWords } from '#contract/webhooks/problem-words.ts';
import { countriesText } from '#words/countries.ts';
import { placeWords } from '#contract/profile/place-words.ts';
import { browserWords, UNKNOWN } from '#contract/sessions/browser-words.ts';
import { type Right, services } from '#contract/roles/permissions.ts';
import { activityActionsText } from '#words/activity-actions.ts';
import { activityFieldsText } from '#words/activity-fields.ts';
import { activityModulesText } from '#words/activity-modules.ts';
import { activityTypesText } from '#words/activity-types.ts';
import { activityValuesText } from '#words/activity-values.ts';
import { accessText } from '#words/access.ts';
import { membersText } from '#words/members.ts';
import { socialButtonsText } from '#words/social-buttons.ts';

type Names = Readonly<Record<string, string>>;
type LogRow = {
  readonly userId: number;
  readonly recordId: number | null;
  readonly activityType: number;
  readonly action: number;
  readonly information: Readonly<Record<string, unknown>>;
};

function byCode<K extends string>(codes: Readonly<Record<K, number>>, labels: Readonly<Record<K, string>>) {
  const names = new Map(Object.entries<number>(codes).map(([name, code]) => [code, name as K]));
  return (code: number): string | undefined => {
    const name = names.get(code);
    return name && labels[name];
  };
}
export const moduleLabel = byCode(MODULE, activityModulesText);
export const typeLabel = byCode(ACTIVITY_TYPE, activityTypesText);
export const actionLabel = byCode(ACTION, activityActionsText);

/** A field's label for people. Rights are labelled by their module. */
export function fieldLabel(field: string): string {
  const labels: Readonly<Record<string, string>> = activityFieldsText;
  const [service = '', module = '', right = ''] = field.split('.');
  const modules: Readonly<Record<string, string>> | undefined =
    service in services ? services[service as keyof typeof services].modules : undefined;
  const moduleLabel = modules?.[module];
  if (moduleLabel !== undefined && right in activityValuesText.rights)
    return activityValuesText.right({
      module: moduleLabel,
      right: activityValuesText.rights[right as Right],
    });
  return (Object.hasOwn(labels, field) && labels[field]) || field.replaceAll('_', ' ');
}

const isMoment = (text: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text);
const wordOf = (words: Readonly<Record<string, string>>, code: unknown) => words[String(code)];
/** The words of codes. Other fields show what people typed, numbers, moments, yes or no. */
export const valueLabels: Readonly<
  Partial<Record<keyof typeof activityFieldsText, (value: never) => string | undefined>>
> = {
  status: (code) => wordOf(membersText.statuses, code),
  social_sign_in: (name) => wordOf(socialButtonsText.providers, name),
  second_step_rule: (rule) => wordOf(activityValuesText.secondSteps, rule),
  company_rule: (rule) => wordOf(activityValuesText.companyRules, rule),
  joining: (joining) => wordOf(activityValuesText.joinings, joining),
  kind: (kind) => wordOf(activityValuesText.kinds, kind),
  access: (scope) => wordOf(accessText, scope),
  country: (country: string) => countriesText.nameOf(country),
  location: placeWords,
  reason: problemWords,
  module: (code) => moduleLabel(Number(code)),
  activity_type: (code) => typeLabel(Number(code)),
  action: (code) => actionLabel(Number(code)),
  app_dark_icon: () => activityValuesText.file,
  app_light_icon: () => activityValuesText.file,
  icon: () => activityValuesText.file,
  profile_picture: () => activityValuesText.file,
};

const isNothing = (value: unknown) => value === null || value === undefined || value === '';

/** A value in words. `show` formats moments; the default leaves the UTC text. */
export function valueText(field: string, value: unknown, show: (moment: Date) => string = String): string {
  if (isNothing(value)) return activityValuesText.nothing;
  const label = Object.hasOwn(valueLabels, field)
    ? valueLabels[field as keyof typeof valueLabels]?.(value as never)
    : undefined;
  if (label !== undefined) return label;
  if (typeof value === 'boolean') return value ? activityValuesText.yes : activityValuesText.no;
  if (typeof value === 'string') return isMoment(value) ? show(new Date(value)) : value;
  return typeof value === 'number' ? String(value) : valuesText(field, value, show);
}

const valuesText = (field: string, value: unknown, show: (moment: Date) => string): string =>
  nameList(Object.values(value as object).map((inner) => valueText(field, inner, show)));

/** One line of a row: a change from old to new, or a plain value. */
type Detail = { readonly label: string; readonly before?: string; readonly value: string };

export const originText = ({ location, ipAddress, ...browser }: ActivityOrigin) =>
  nameList([browserWords(browser), placeWords(location), ipAddress].filter((name) => name !== UNKNOWN));

export const detailsOf = (
  { action, information }: Pick<LogRow, 'action' | 'information'>,
  show?: (moment: Date) => string,
): Detail[] =>
  inOrder(information)
    // An unchanged name only says which role, application or webhook the row is about.
    .filter(([field, value]) => !['role', 'application', 'webhook'].includes(field) || isChange(value))
    .map(([field, value]) => {
      const label = fieldLabel(field);
      if (!isChange(value)) return { label, value: valueText(field, value, show) };
      const [before, after] = value.map((side) => valueText(field, side, show)) as [string, string];
      if (begins.has(action) && isNothing(value[0])) return { label, value: after };
      if (action === ACTION.delete && isNothing(value[1])) return { label, value: before };
      return { label, before, value: after };
    });

/** Created rows have no old value and deleted rows no new one: show one side only. */
const begins = new Set<number>([ACTION.create, ACTION.invite]);

const places = new Map(Object.keys(activityFieldsText).map((field, at) => [field, at]));
const placeOf = (field: string) => places.get(field) ?? places.size;
/** In the order of the forms, because the database does not keep the order of keys. */
const inOrder = (information: LogRow['information']) =>
  Object.entries(information).toSorted(([a], [b]) => placeOf(a) - placeOf(b));

const isChange = (value: unknown): value is [unknown, unknown] => Array.isArray(value) && value.length === 2;

type FilledTemplate = { readonly template: string; readonly values: Readonly<Record<string, string>> };

/** The sentence of a row. It calls `reader` "you"; exported files have no reader, and their days are those of UTC. */
export function tell(row: LogRow, names: Names, reader?: number, day = dayIn('UTC')): FilledTemplate {
  const { information, userId, recordId } = row;
  const nameFor = (id: number | null) =>
    id === OPERATOR_ID
      ? activityValuesText.operator
      : id === DIRECTORY_ID
        ? activityValuesText.directory
        : (names[String(id)] ?? activityValuesText.deletedUser);
  const fields = Object.keys(information);
  const main = ['name', 'application_name', 'role', 'status'].find((name) => isChange(information[name]));
  const field = main ?? fields[0] ?? '';
  const change = information[field];
  const [before, after] = isChange(change) ? change : [undefined, change];
  const role = information['role'];
  const values: Readonly<Record<Place, string>> = {
    who: nameFor(userId),
    whom: nameFor(recordId),
    day: currentValue('second_step_from', information, day),
    field: lowerFirst(fieldLabel(field)),
    from: valueText(field, before),
    to: valueText(field, after),
    role: currentValue('role', information),
    application: currentValue('application', information),
    webhook: currentValue('webhook', information),
    domain: currentValue('domain', information),
    group: currentValue('directory_group', information),
    inDirectory: currentValue('directory_user', information),
    sent: currentValue('sent', information),
    reason: currentValue('reason', information),
    toRole: valueText('role', isChange(role) ? role[1] : role),
    movedTo: valueText('moved_to', information['moved_to']),
    provider: valueText(field, after),
    browser: browserWords({
      browser: currentValue('browser', information),
      system: currentValue('system', information),
    }),
  };
  const sentence: Sentence =
    sentenceOf(row.activityType, row.action, { information, isOwn: recordId === userId }) ??
    activityValuesText.otherwise;
  const places = Object.fromEntries(Object.keys(values).map((name) => [name, `{${name}}`])) as typeof values;
  return { template: sentence({ ...places, reader: userId === reader ? 'you' : 'other' }), values };
}

/** The only value of a created or deleted field, or else the new one. */
const currentValue = (field: string, information: LogRow['information'], show?: (moment: Date) => string) => {
  const change = information[field];
  return valueText(field, isChange(change) ? (change[1] ?? change[0]) : change, show);
};

/** Within a sentence English writes the name of a field small. */
const lowerFirst = (text: string) =>
  spokenLanguage.tag === SOURCE_LANGUAGE ? text.charAt(0).toLowerCase() + text.slice(1) : text;

export const partsOf = ({ template, values }: FilledTemplate) =>
  template
    .split(/\{(\w+)\}/)
    .map((text, at) =>
      at % 2 === 0 ? { text, place: undefined } : { text: values[text] ?? '', place: text },
    )
    .filter(({ text }) => text !== '');

export const plainSentence = (sentence: FilledTemplate) =>
  partsOf(sentence)
    .map(({ text }) => text)
    .join('');
