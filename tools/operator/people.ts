import { NOTIFICATION_TYPE } from '#contract/area-limits.ts';
import { notificationTypeNames } from '#contract/communications.ts';
import { personName } from '#contract/person-name.ts';
import type { UserId } from '#contract/wire.ts';
import type { Deps } from '#server/deps.ts';
import { findPeople, type FoundPerson, listMemberships, listSubscribers } from '#server/operator/data.ts';
import type { Result } from './command.ts';
import { Plain } from './copies.ts';

/** A person as one line. */
export const personLine = ({ id, first_name, last_name, email }: FoundPerson) =>
  `${id}  ${personName(first_name, last_name, null) || '(no name)'}  ${email ?? '(no address)'}`;

/** The only person who matches; an exact id or address takes precedence over a prefix. */
export async function onePerson({ sql, clock }: Deps, words = ''): Promise<FoundPerson> {
  const matches = await findPeople(sql, words, clock.now());
  const exact = matches.find(({ id, email }) => String(id) === words || email === words.toLowerCase());
  const [person, ...others] = exact ? [exact] : matches;
  if (!person) throw new Plain(`Nobody fits "${words}".`);
  if (others.length > 0)
    throw new Plain(
      [
        `${others.length + 1} people fit "${words}"; name one by the id:`,
        ...[person, ...others].map(personLine),
      ].join('\n'),
    );
  return person;
}

const statuses = ['', 'invited', 'active', 'inactive', 'disabled'];
const statesOf = (person: FoundPerson) => [
  person.confirmed_at ? 'address confirmed' : 'address not confirmed',
  ...(person.mfa_enabled ? ['two-step sign-in'] : []),
  ...(person.restricted_until ? [`restricted until ${person.restricted_until.toISOString()}`] : []),
  ...(person.erased_at ? [`deactivated, erased at ${person.erased_at.toISOString()}`] : []),
  `${person.sessions} sessions`,
];

/** Lists people with their state and their organizations. */
export async function find({ sql, clock }: Deps, [words = '']: readonly string[]): Promise<Result> {
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
export const mailTypeNames = [...mailTypes.keys()].join(', ');
const SUBSCRIBERS_AT_ONCE = 10_000;

/**
 * The addresses of a mail type's subscribers. Only addresses are kept in memory, because there may be many.
 */
export async function subscribers({ sql, clock }: Deps, [name = '']: readonly string[]): Promise<Result> {
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
