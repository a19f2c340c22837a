import { ACTIVITY_TYPE } from '#contract/activity/calls.ts';
import { type ActIn, codesOf } from '#contract/activity/recorded.ts';
import type { UserId } from '#contract/wire.ts';
import { namesOfPeople } from '#server/activity/data.ts';
import type { ReadingDeps } from '#server/open.ts';
import { listActs, type OperatorAct } from '#server/operator/data.ts';
import { momentOf, type Options, type Result, textOf } from './command.ts';
import { Plain } from './copies.ts';
import { oneOrganization, onePerson } from './people.ts';

const after = ({ information }: OperatorAct, field: string) =>
  (information[field] as readonly unknown[] | undefined)?.[1];

const pausedOr = (group: string, otherwise: string) => (act: OperatorAct) =>
  `${group} ${'paused' in act.information ? (after(act, 'paused') ? 'pause' : 'resume') : otherwise}`;

type Act = ActIn<'operator'> | 'organization.invitedContact.update';
/** The command that wrote an act. `settle` writes the same act as `restore`. */
const commandNames: Readonly<Record<Act, string | ((act: OperatorAct) => string)>> = {
  'operator.signInDevice.delete': 'end-sessions',
  'operator.twoStep.change': 'reset-second-steps',
  'operator.signIn.change': (act) => (after(act, 'restricted_until') === null ? 'lift' : 'restrict'),
  'operator.deleteAccount.change': 'restore-account',
  'organization.invitedContact.update': 'make-super-admin',
  'operator.auditLog.read': 'backup',
  'operator.auditLog.upload': 'restore',
  'operator.auditLog.change': (act) => (after(act, 'signing_keys') ? 'keys rotate' : 'retry'),
  'operator.suiteApplication.create': 'applications add',
  'operator.suiteApplication.update': pausedOr('applications', 'edit'),
  'operator.suiteApplication.change': 'applications rotate-secret',
  'operator.suiteApplication.delete': 'applications remove',
  'operator.webhook.create': 'webhooks add',
  'operator.webhook.update': pausedOr('webhooks', 'test'),
  'operator.webhook.change': 'webhooks rotate-secret',
  'operator.webhook.delete': 'webhooks remove',
};
const namesByCodes = new Map(
  Object.entries(commandNames).map(([act, name]) => {
    const [, type, action] = codesOf(act as Act);
    return [`${type} ${action}`, name];
  }),
);

function commandOf(act: OperatorAct): string {
  const kind = `${act.activity_type} ${act.action}`;
  const name = namesByCodes.get(kind) ?? `act ${kind}`;
  return typeof name === 'string' ? name : name(act);
}

const ofPeople = new Set<number>([
  ACTIVITY_TYPE.signInDevice,
  ACTIVITY_TYPE.twoStep,
  ACTIVITY_TYPE.signIn,
  ACTIVITY_TYPE.deleteAccount,
  ACTIVITY_TYPE.invitedContact,
]);
const personOf = ({ activity_type: type, record_id: id }: OperatorAct) =>
  ofPeople.has(type) ? (id as UserId | null) : null;

export const DEFAULT_LIMIT = 50;
const LIMIT_MAX = 10_000;
const ACTS_AT_ONCE = 500;

function limitOf({ limit }: Options): number {
  const count = limit === undefined ? DEFAULT_LIMIT : Number(limit);
  if (/^\d+$/.test(limit ?? '1') && count >= 1 && count <= LIMIT_MAX) return count;
  throw new Plain(`--limit takes a whole number from 1 to ${LIMIT_MAX}.`);
}

/** The person of the option. An id also names an erased person, who is found in the log only. */
async function personIdOf(deps: ReadingDeps, { person }: Options) {
  if (person === undefined) return undefined;
  return /^\d{1,15}$/.test(person) ? (Number(person) as UserId) : (await onePerson(deps, person)).id;
}

async function filterOf(deps: ReadingDeps, options: Options): Promise<(act: OperatorAct) => boolean> {
  const { action, organization } = options;
  const personId = await personIdOf(deps, options);
  const orgId = organization === undefined ? undefined : (await oneOrganization(deps, organization)).id;
  return (act) =>
    (action === undefined || commandOf(act) === action) &&
    (personId === undefined || personOf(act) === personId) &&
    (orgId === undefined || act.orgId === orgId);
}

export async function showLog(
  deps: ReadingDeps,
  _args: readonly string[],
  options: Options,
): Promise<Result> {
  const limit = limitOf(options);
  const fits = await filterOf(deps, options);
  const since = options.since === undefined ? undefined : momentOf('since', options.since);
  const until = options.until === undefined ? undefined : momentOf('until', options.until);
  const acts: OperatorAct[] = [];
  let page: OperatorAct[] = [];
  do {
    page = await listActs(deps.sql, { since, until, before: page.at(-1) }, ACTS_AT_ONCE);
    acts.push(...page.filter(fits));
  } while (page.length === ACTS_AT_ONCE && acts.length < limit);

  const shown = acts.slice(0, limit);
  const people = shown.map(personOf).filter((id) => id !== null);
  const names = new Map((await namesOfPeople(deps.sql, null, people)).map(({ id, name }) => [id, name]));
  const data = shown.map((act) => entryOf(act, names));
  return { lines: data.length > 0 ? data.flatMap(linesOf) : ['No act matches.'], data };
}

function entryOf(act: OperatorAct, names: ReadonlyMap<UserId, string | null>) {
  const { operator, ...changes } = act.information;
  const person = personOf(act);
  return {
    at: act.created_at.toISOString(),
    operator: textOf(operator),
    action: commandOf(act),
    person: person === null ? null : { id: person, name: names.get(person) ?? null },
    organization: act.organization,
    record_id: act.record_id,
    changes,
  };
}

const linesOf = ({ at, operator, action, person, organization, changes }: ReturnType<typeof entryOf>) => [
  [at, operator, action, ...(person ? [`${person.id} ${person.name ?? '(erased)'}`] : [])]
    .concat(organization ?? [])
    .join('  '),
  ...Object.entries(changes).map(([field, value]) => {
    const words = Array.isArray(value)
      ? value.map((one) => textOf(one) || '(none)').join(' → ')
      : textOf(value);
    return `    ${field.replaceAll('_', ' ')}: ${words}`;
  }),
];

export const logHelp = [
  '  --since <moment>, --until <moment>  from the first, before the second, in UTC',
  '  --action <command>                  such as restrict, or "applications add"; settle counts as restore',
  '  --person <person>, --organization <organization>',
  `  --limit <number>                    at most ${LIMIT_MAX}; default: ${DEFAULT_LIMIT}`,
];
