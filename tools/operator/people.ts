import { NOTIFICATION_TYPE } from '#contract/split-by-bytes/area-limits.ts';
import { notificationTypeNames } from '#contract/communications/calls.ts';
import { personName } from '#contract/profile/person-name.ts';
import type { UserId } from '#contract/wire.ts';
import type { Deps } from '#server/deps.ts';
import type { ReadingDeps } from '#server/open.ts';
import {
  endSessions,
  liftRestriction,
  makeSuperAdmin,
  resetSecondSteps,
  restoreAccountOf,
  restrict,
} from '#server/operator/actions.ts';
import {
  defaultRestrictionEnd,
  findOrganization,
  findPeople,
  type FoundPerson,
  listMemberships,
  listSubscribers,
} from '#server/operator/data.ts';
import {
  by,
  commandOn,
  type Commands,
  momentOf,
  only,
  type Options,
  type Result,
  unlessRefused,
} from './command.ts';
import { Plain } from './copies.ts';

const personLine = ({ id, first_name, last_name, email }: FoundPerson) =>
  `${id}  ${personName(first_name, last_name, null) || '(no name)'}  ${email ?? '(no address)'}`;

/** The only person who matches; an exact id or address takes precedence over a prefix. */
export async function onePerson(
  { sql, clock }: Pick<Deps, 'sql' | 'clock'>,
  words = '',
): Promise<FoundPerson> {
  const matches = await findPeople(sql, words, clock.now());
  const exact = matches.find(({ id, email }) => String(id) === words || email === words.toLowerCase());
  return only(exact ? [exact] : matches, {
    none: `Nobody fits "${words}".`,
    several: `people fit "${words}"; name one by the id:`,
    lineOf: personLine,
  });
}

const statuses = ['', 'invited', 'active', 'inactive', 'disabled'];
const statesOf = (person: FoundPerson) => [
  person.confirmed_at ? 'address confirmed' : 'address not confirmed',
  ...(person.mfa_enabled ? ['two-step sign-in'] : []),
  ...(person.restricted_until ? [`restricted until ${person.restricted_until.toISOString()}`] : []),
  ...(person.erased_at ? [`deactivated, erased at ${person.erased_at.toISOString()}`] : []),
  `${person.sessions} sessions`,
];

async function find({ sql, clock }: ReadingDeps, [words = '']: readonly string[]): Promise<Result> {
  const people = await findPeople(sql, words, clock.now());
  const data = [];
  const lines = [];
  for (const person of people) {
    const memberships = await listMemberships(sql, person.id);
    data.push({ ...person, memberships });
    lines.push(personLine(person), `    ${statesOf(person).join(', ')}`);
    for (const { name, url_name, role, status } of memberships)
      lines.push(`    ${name} (${url_name}): ${role}, ${statuses[status]}`);
  }
  return people.length > 0 ? { lines, data } : { lines: [`Nobody fits "${words}".`], data, isFailure: true };
}

const mailTypes = new Map(
  notificationTypeNames.map((name) => [
    name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    NOTIFICATION_TYPE[name],
  ]),
);
const mailTypeNames = [...mailTypes.keys()].join(', ');
const SUBSCRIBERS_AT_ONCE = 10_000;

/** The addresses of a mail type's subscribers. Only addresses are kept in memory, because there may be many. */
export async function subscribers(
  { sql, clock }: ReadingDeps,
  [name = '']: readonly string[],
): Promise<Result> {
  const type = mailTypes.get(name);
  if (type === undefined) throw new Plain(`No mails are called "${name}", but ${mailTypeNames}.`);
  const addresses: string[] = [];
  for (let after = 0 as UserId; ;) {
    const page = await listSubscribers(sql, { type, now: clock.now(), after }, SUBSCRIBERS_AT_ONCE);
    for (const { email } of page) addresses.push(email);
    const last = page.at(-1);
    if (!last) return { lines: addresses, data: addresses };
    after = last.id;
  }
}

/** The only organization with this id or name in addresses. */
export async function oneOrganization({ sql }: Pick<Deps, 'sql'>, words = '') {
  const organization = await findOrganization(sql, words);
  if (!organization) throw new Plain(`There is no organization "${words}".`);
  return organization;
}

const PERSON = '<person>';

const endOf = (deps: Deps, { until }: Options): Date =>
  until === undefined ? defaultRestrictionEnd(deps) : momentOf('until', until);

const onPerson = commandOn({
  takes: PERSON,
  find: onePerson,
  about: (person) => [personLine(person), { user_id: person.id }],
});

export const peopleCommands: Commands = {
  find: {
    takes: ['<id, address, or the start of a name>'],
    does: 'Show people: where they belong, and what holds them back',
    run: { looksUp: find },
  },
  subscribers: {
    takes: [`<${mailTypeNames}>`],
    does: 'List the confirmed addresses of open accounts that want such mails',
    run: { looksUp: subscribers },
  },
  'end-sessions': onPerson(
    'Sign somebody out everywhere',
    (deps, { id }) => endSessions(deps, by, id),
    ({ ended }) => [`${ended} sessions ended.`, { ended }],
  ),
  'reset-second-steps': onPerson(
    'Remove passkeys, authenticator app and recovery codes, and turn two-step sign-in off; make sure who asks',
    (deps, { id }) => resetSecondSteps(deps, by, id),
    ({ passkeys, hadApp, ended }) => {
      const app = hadApp ? ' and the authenticator app' : '';
      return [`${passkeys} passkeys${app} removed, ${ended} sessions ended.`, { passkeys, hadApp, ended }];
    },
  ),
  restrict: onPerson(
    'Close an account for 24 hours, or --until a moment, whatever closed it before',
    (deps, { id }, options) => restrict(deps, by, id, endOf(deps, options)),
    ({ until }) => [`Restricted until ${until.toISOString()}.`, { until }],
    { accepts: ['until'] },
  ),
  lift: onPerson(
    'Lift what restricts an account',
    (deps, { id }) => liftRestriction(deps, by, id),
    ({ lifted }) => [`Open again; it was restricted until ${lifted.toISOString()}.`, { lifted }],
  ),
  'restore-account': onPerson(
    'Cancel the deletion of an account within its 60 days; make sure who asks',
    (deps, { id }) => restoreAccountOf(deps, by, id),
    ({ wasDueAt }) => [`Back again; it would have been erased at ${wasDueAt.toISOString()}.`, { wasDueAt }],
  ),
  'make-super-admin': onPerson(
    'Make an active member Super Admin of an organization',
    async (deps, { id }, _options, [words]) => {
      const organization = await oneOrganization(deps, words);
      const { was } = unlessRefused(await makeSuperAdmin(deps, by, organization.id, id));
      return { organization, was };
    },
    ({ organization, was }) => [`Super Admin of ${organization.name}; was ${was}.`, { organization, was }],
    { also: ['<organization, by its id or its name in addresses>'] },
  ),
};
