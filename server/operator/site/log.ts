import { Refusal } from '#contract/errors.ts';
import { codesOf } from '#contract/activity/recorded.ts';
import { type InputOf, LOG_SHOWN } from '#contract/operator/act.ts';
import type { LookData } from '#contract/operator/looks.ts';
import { type ActName, actNamed, acts, isActName } from '#contract/operator/acts.ts';
import type { UserId } from '#contract/wire.ts';
import { namesOfPeople } from '#server/activity/data-names.ts';
import type { ReadingDeps } from '#server/open.ts';
import { no, textOf } from '#server/operator/lines.ts';
import { listActs, type OperatorRow } from './data.ts';
import { oneOrganization, onePerson } from '#server/operator/subjects.ts';
import type { Shown } from '#server/operator/work.ts';

/** The act behind a row. A row in an organization's own log names none: it has the fields that its page shows. */
function actOf({ information: { act }, activity_type, action }: OperatorRow): ActName {
  if (typeof act === 'string' && isActName(act)) return act;
  const isRow = (name: ActName) => {
    const { row } = actNamed(name);
    const codes = row?.startsWith('organization.') ? codesOf(row) : undefined;
    return codes?.[1] === activity_type && codes[2] === action;
  };
  return (Object.keys(acts) as ActName[]).find(isRow) ?? 'make-super-admin';
}
const personOf = (row: OperatorRow) =>
  actNamed(actOf(row)).on === 'person' ? (row.record_id as UserId | null) : null;

const ROWS_AT_ONCE = 500;

type Input = InputOf<(typeof acts)['log']>;

async function filterOf(deps: ReadingDeps, { action, person, organization }: Input) {
  if (action !== undefined && !isActName(action))
    return no('invalid_input', `--action ${action}: There is no such command.`);
  // An id also names an erased person, who is found in the log only.
  const isId = person !== undefined && /^\d{1,15}$/.test(person);
  const who = person === undefined || isId ? { id: Number(person) } : await onePerson(deps, person);
  if (who instanceof Refusal) return who;
  const where = organization === undefined ? { id: 0 } : await oneOrganization(deps.sql, organization);
  if (where instanceof Refusal) return where;
  return (row: OperatorRow) =>
    // The portal itself writes rows, too, such as a switched-off webhook.
    'operator' in row.information &&
    (action === undefined || actOf(row) === action) &&
    (person === undefined || personOf(row) === who.id) &&
    (organization === undefined || row.orgId === where.id);
}

/** Lists the acts of operators, the newest first. */
export async function showLog(deps: ReadingDeps, input: Input): Promise<Shown<LookData<'log'>> | Refusal> {
  const { limit = LOG_SHOWN, since, until } = input;
  const fits = await filterOf(deps, input);
  if (fits instanceof Refusal) return fits;
  const found: OperatorRow[] = [];
  let page: OperatorRow[] = [];
  do {
    page = await listActs(deps.sql, { since, until, before: page.at(-1) }, ROWS_AT_ONCE);
    found.push(...page.filter(fits));
  } while (page.length === ROWS_AT_ONCE && found.length < limit);

  const shown = found.slice(0, limit);
  const people = shown.map(personOf).filter((id) => id !== null);
  const names = new Map((await namesOfPeople(deps.sql, null, people)).map(({ id, name }) => [id, name]));
  const data = shown.map((row) => entryOf(row, names));
  return { lines: data.length > 0 ? data.flatMap(linesOf) : ['No act matches.'], data };
}

function entryOf(row: OperatorRow, names: ReadonlyMap<UserId, string | null>) {
  const { operator, act: _, ...changes } = row.information;
  const person = personOf(row);
  return {
    at: row.created_at.toISOString(),
    operator: textOf(operator),
    action: actOf(row),
    person: person === null ? null : { id: person, name: names.get(person) ?? null },
    organization: row.organization,
    record_id: row.record_id,
    changes,
  };
}

const wordsOf = (value: unknown) =>
  Array.isArray(value) ? value.map((one) => textOf(one) || '(none)').join(' → ') : textOf(value);

const linesOf = ({ at, operator, action, person, organization, changes }: ReturnType<typeof entryOf>) => [
  [at, operator, action, person && `${person.id} ${person.name ?? '(erased)'}`, organization]
    .filter((part) => part !== null)
    .join('  '),
  ...Object.entries(changes)
    .map(([field, value]) => `    ${field.replaceAll('_', ' ')}: ${wordsOf(value)}`)
    .filter((line) => !line.endsWith('(none) → (none)')),
];
