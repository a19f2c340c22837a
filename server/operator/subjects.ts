import { type Refusal, refuse } from '#contract/errors.ts';
import type { Subject } from '#contract/operator/act.ts';
import { personName } from '#contract/profile/person-name.ts';
import type { Db } from '#server/db/connect.ts';
import { findOrganization, findPeople, type FoundPerson } from './data.ts';
import { type ApplicationRow, findApplications } from './data-applications.ts';
import { no } from './lines.ts';
import type { ReadingDeps } from '#server/open.ts';
import { listWebhooks, type Webhook } from '#server/webhooks/endpoints/data.ts';

type Reading = Pick<ReadingDeps, 'sql' | 'clock'>;

export const nameOf = ({
  first_name: first,
  last_name: last,
}: Pick<FoundPerson, 'first_name' | 'last_name'>) => personName(first, last, null) || '(no name)';
type Named = { readonly id: number; readonly email: string | null };
export const lineOf = (name: string, { id, email }: Named) => `${id}  ${name}  ${email ?? '(no address)'}`;
export const personLine = (person: FoundPerson) => lineOf(nameOf(person), person);

const ownerOf = ({ organization, is_first_party }: ApplicationRow) =>
  organization ?? (is_first_party ? 'first-party' : 'third-party');
export const applicationLine = (application: ApplicationRow) => {
  const { client_id, name, kind, paused_at: pausedAt } = application;
  return `${client_id}  ${name}  ${kind}, ${ownerOf(application)}${pausedAt ? ', paused' : ''}`;
};

type Words = { readonly none: string; readonly several: string };
/** The only match. The refusal lists several matches, each in a line. */
function only<T>(
  matches: readonly T[],
  words: Words,
  lineOf: (match: T) => string,
  missing: Parameters<typeof no>[0] = 'not_found',
): T | Refusal {
  const [match, ...others] = matches;
  if (match === undefined) return no(missing, words.none);
  if (others.length === 0) return match;
  return no('invalid_input', [`${matches.length} ${words.several}`, ...matches.map(lineOf)].join('\n'));
}

const nobodyFits = (words: string) =>
  `Nobody fits "${words}", as an id, a whole address or the beginning of a name.`;

export async function findEveryone({ sql, clock }: Reading, words: string) {
  const people = await findPeople(sql, words, clock.now());
  return people.length > 0 ? people : no('user_not_found', nobodyFits(words));
}

/** The only person who matches; an exact id or address takes precedence over a prefix. */
export async function onePerson({ sql, clock }: Reading, words: string) {
  const matches = await findPeople(sql, words, clock.now());
  const exact = matches.find(({ id, email }) => String(id) === words || email === words.toLowerCase());
  return only(
    exact ? [exact] : matches,
    { none: nobodyFits(words), several: `people fit "${words}"; name one by the id:` },
    personLine,
    'user_not_found',
  );
}

export const oneOrganization = async (sql: Db, words: string) =>
  (await findOrganization(sql, words)) ?? no('org_not_found', `There is no organization "${words}".`);

export const listSuite = ({ sql, clock }: Reading) => listWebhooks(sql, null, clock.now());

type About = { readonly lines: readonly string[]; readonly data: object };
type Finder<T> = {
  readonly find: (deps: Reading, words: string) => Promise<T | Refusal>;
  /** Begins each answer about it. */
  readonly about: (found: T) => About;
};
export const subjects = {
  person: {
    find: onePerson,
    about: (person) => ({ lines: [personLine(person)], data: { user_id: person.id } }),
  } satisfies Finder<FoundPerson>,
  application: {
    find: async ({ sql }, words) =>
      only(
        await findApplications(sql, words),
        {
          none: `There is no application "${words}".`,
          several: `applications match "${words}". Name one by its client ID:`,
        },
        applicationLine,
        'application_not_found',
      ),
    about: ({ client_id, name }) => ({ lines: [`${client_id}  ${name}`], data: { client_id, name } }),
  } satisfies Finder<ApplicationRow>,
  webhook: {
    find: async (deps, url) =>
      (await listSuite(deps)).find((one) => one.url === url) ?? refuse('webhook_not_found'),
    about: ({ url }) => ({ lines: [], data: { url } }),
  } satisfies Finder<Webhook>,
};
export const subjectNamed = (name: Subject): Finder<unknown> => subjects[name] as Finder<unknown>;
