import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { SECRET_OVERLAP_HOURS } from '#contract/limits.ts';
import {
  ANY_ORGANIZATION,
  type SuiteApplication,
  suiteApplication,
  unsetApplication,
} from '#contract/applications/suite.ts';
import { storePicture } from '#server/drive/actions.ts';
import type { Deps } from '#server/deps.ts';
import { operatorSender } from '#server/images.ts';
import { addApplication, editApplication, suite } from '#server/operator/applications/suite.ts';
import {
  type ApplicationRow,
  findApplications,
  listApplications,
  settingsOf,
} from '#server/operator/applications/data.ts';
import {
  by,
  commandOn,
  type Commands,
  listed,
  only,
  type Options,
  type Result,
  rotated,
  secretLines,
  textOf,
  unlessRefused,
} from './command.ts';
import { Plain } from './copies.ts';
import { oneOrganization } from './people.ts';

const APPLICATION = '<client id, or name>';

const optionOf = {
  name: 'name',
  description: 'description',
  kind: 'kind',
  isFirstParty: 'first-party',
  startUrl: 'start',
  redirectUrls: 'redirect',
  signedOutUrls: 'signed-out',
  signOutUrl: 'logout-tokens',
  algorithm: 'algorithm',
  publicKeys: 'public-keys',
  apis: 'api',
  requiresPar: 'par',
  requiresDpop: 'dpop',
  requiresPkce: 'pkce',
  membersOf: 'members-of',
} as const satisfies Record<keyof SuiteApplication, keyof Options>;
type Setting = keyof typeof optionOf;
const settingNames = Object.keys(optionOf) as Setting[];
const settingOptions = [...Object.values(optionOf), 'members-only'] as const;

/** The value of a file; null for an empty name, which removes the value. */
function fromFile<T>(option: keyof Options, file: string, read: (bytes: Buffer) => T): T | null {
  if (file === '') return null;
  try {
    return read(readFileSync(file));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Plain(`--${option} ${file}: ${code === 'ENOENT' ? 'There is no such file.' : message}`);
  }
}

async function iconOf(deps: Deps, { icon: file }: Options) {
  const bytes = file === undefined ? undefined : fromFile('icon', file, (read) => read);
  return bytes ? unlessRefused(await storePicture(deps, bytes, operatorSender)) : bytes;
}

/** The organization whose members may enter, by `--members-of` or `--members-only`; undefined without either. */
async function membersOf(deps: Deps, options: Options) {
  const { 'members-of': organization, 'members-only': isForMembers } = options;
  if (organization) return (await oneOrganization(deps, organization)).id;
  if (organization === '' || isForMembers === false) return null;
  return isForMembers ? ANY_ORGANIZATION : undefined;
}

async function changedSettings(deps: Deps, settings: SuiteApplication, options: Options) {
  const keys = options['public-keys'];
  const given = {
    ...Object.fromEntries(settingNames.map((setting) => [setting, options[optionOf[setting]]])),
    publicKeys:
      keys === undefined
        ? keys
        : fromFile('public-keys', keys, (bytes) => JSON.parse(bytes.toString()) as unknown),
    membersOf: await membersOf(deps, options),
  };
  const changes = Object.entries(given)
    .filter(([, value]) => value !== undefined)
    // One empty address empties a list.
    .map(([name, value]) => [name, Array.isArray(value) ? value.filter((one) => one !== '') : value]);
  const whole: Record<string, unknown> = { ...settings, ...Object.fromEntries(changes) };
  const result = z.safeParse(suiteApplication, whole);
  if (result.success) return result.data;
  throw new Plain(result.error.issues.map((issue) => problemLine(issue, whole)).join('\n'));
}

function problemLine({ path: [setting, index], message }: z.core.$ZodIssue, whole: Record<string, unknown>) {
  const value = whole[setting as string];
  const wrong = Array.isArray(value) && index !== undefined ? (value[Number(index)] as unknown) : value;
  const wrongText = typeof wrong === 'string' && wrong !== '' ? ` ${wrong}` : '';
  return `--${optionOf[setting as Setting]}${wrongText}: ${message}`;
}

const oneApplication = async ({ sql }: Pick<Deps, 'sql'>, words = '') =>
  only(await findApplications(sql, words), {
    none: `There is no application "${words}".`,
    several: `applications match "${words}". Name one by its client id:`,
    lineOf: applicationLine,
  });

const ownerOf = ({ organization, is_first_party }: ApplicationRow) =>
  organization ?? (is_first_party ? 'first-party' : 'third-party');

const applicationLine = (application: ApplicationRow) => {
  const { client_id, name, kind, paused_at: pausedAt } = application;
  return `${client_id}  ${name}  ${kind}, ${ownerOf(application)}${pausedAt ? ', paused' : ''}`;
};

const labelOf = (field: string) =>
  field === 'sign_out_url'
    ? 'logout tokens'
    : field.replaceAll('_', ' ').replace('urls', 'addresses').replace('url', 'address');

const detailLines = (application: ApplicationRow) =>
  Object.entries(application)
    .filter(([name]) => name !== 'id')
    .map(([field, value]) => [labelOf(field), textOf(value)] as const)
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${name.padEnd(20)} ${text}`);

const onApplication = commandOn({
  takes: APPLICATION,
  find: oneApplication,
  about: ({ client_id, name }) => [`${client_id}  ${name}`, { client_id, name }],
});

export const applicationCommands: Commands = {
  'applications add': {
    accepts: [...settingOptions, 'icon'],
    does: 'Register an application of the suite; shows its client id and its secret',
    run: {
      changes: async (deps, _args, options): Promise<Result> => {
        const settings = await changedSettings(deps, unsetApplication, options);
        const icon = await iconOf(deps, options);
        const { entry, secret } = unlessRefused(await addApplication(deps, by, settings, icon));
        const { client_id } = entry;
        return {
          lines: [`client id  ${client_id}`, ...secretLines(secret)],
          data: { client_id, client_secret: secret },
        };
      },
    },
  },
  'applications list': {
    does: 'List the applications of the suite and of organizations',
    run: {
      looksUp: async ({ sql }) => listed(await listApplications(sql), applicationLine),
    },
  },
  'applications show': {
    takes: [APPLICATION],
    does: 'Show everything about an application but its secret',
    run: {
      looksUp: async (deps, [words]) => {
        const application = await oneApplication(deps, words);
        return { lines: detailLines(application), data: application };
      },
    },
  },
  'applications edit': onApplication(
    'Change an application of the suite; a list of addresses replaces the whole list',
    async (deps, application, options) => {
      const settings = await changedSettings(deps, settingsOf(application), options);
      return editApplication(deps, by, application.id, settings, await iconOf(deps, options));
    },
    ({ fields }) => [`Changed: ${fields.map(labelOf).join(', ')}.`, { fields }],
    { accepts: [...settingOptions.filter((option) => option !== 'kind'), 'icon'] },
  ),
  'applications rotate-secret': onApplication(
    `Make a new secret; the former one ends after ${SECRET_OVERLAP_HOURS} hours, or --at-once`,
    (deps, { id }, options) => suite.rotateSecret(deps, by, id, options['at-once']),
    rotated('client_secret'),
    { accepts: ['at-once'] },
  ),
  'applications pause': onApplication(
    'Pause an application: nobody can sign in to it, and its tokens end',
    (deps, { id }) => suite.pause(deps, by, id, true),
    () => ['Paused: nobody can sign in to it, and its tokens have ended.', { is_paused: true }],
  ),
  'applications resume': onApplication(
    'Let people sign in to a paused application again',
    (deps, { id }) => suite.pause(deps, by, id, false),
    () => ['People can sign in to it again.', { is_paused: false }],
  ),
  'applications remove': onApplication(
    'Remove an application for good; its tokens end at once',
    (deps, { id }) => suite.remove(deps, by, id),
    () => ['Removed.'],
  ),
};

/** The lines of `--help` about the settings of an application. */
export const settingHelp = [
  '  --name <text>, --description <text>, --start <address>',
  '  --icon <file>                    a PNG or JPEG; an empty name removes it',
  '  --kind <web, single-page, native or server>; default: web',
  '  --first-party, --no-first-party  whether it signs people in without their consent',
  '  --redirect <address>             receives people with a code; may be repeated',
  '  --signed-out <address>           receives people after their sign-out; may be repeated',
  '  --logout-tokens <address>        receives logout tokens (back-channel logout)',
  '  --algorithm <ES256 or RS256>     signs its tokens',
  '  --public-keys <file>             a JWK Set, in place of a secret (private_key_jwt)',
  '  --api <address>                  an API that it may call; may be repeated',
  '  --members-only                   admits active members of any organization, not everybody with an account',
  '  --members-of <organization>      admits active members of this one only; an empty name admits everybody',
  '  --no-pkce                        a web application whose library cannot do PKCE; it must send a nonce',
  '  --par, --dpop                    requires pushed authorization requests, bound tokens (DPoP)',
];
