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
import {
  addApplication,
  editApplication,
  pauseApplication,
  removeApplication,
  rotateSecret,
} from '#server/operator/applications/actions.ts';
import {
  type ApplicationRow,
  findApplications,
  listApplications,
  settingsOf,
} from '#server/operator/applications/data.ts';
import {
  by,
  listed,
  secretLines,
  type Result,
  type Command,
  type Commands,
  type Options,
  textOf,
  unlessRefused,
} from './command.ts';
import { Plain } from './copies.ts';
import { oneOrganization } from './people.ts';

const APPLICATION = '<client id, or name>';

/** The option of each setting. */
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

const readKeys = (file: string) =>
  fromFile('public-keys', file, (bytes) => JSON.parse(bytes.toString()) as unknown);

/** The stored picture of the option; undefined without the option. */
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

function valueOf(setting: Setting, options: Options): unknown {
  const value = options[optionOf[setting]];
  if (setting === 'publicKeys' && value !== undefined) return readKeys(value as string);
  // One empty address empties a list.
  return Array.isArray(value) ? value.filter((address) => address !== '') : value;
}

/** The settings after the changes of the options. */
async function changedSettings(
  deps: Deps,
  settings: SuiteApplication,
  options: Options,
): Promise<SuiteApplication> {
  const ofOrganization = await membersOf(deps, options);
  const changes = settingNames
    .map(
      (setting) => [setting, setting === 'membersOf' ? ofOrganization : valueOf(setting, options)] as const,
    )
    .filter(([, value]) => value !== undefined);
  const whole: Record<string, unknown> = { ...settings, ...Object.fromEntries(changes) };
  const result = z.safeParse(suiteApplication, whole);
  if (result.success) return result.data;
  throw new Plain(result.error.issues.map((issue) => problemLine(issue, whole)).join('\n'));
}

/** Names the option and the wrong value, if it is a text. */
function problemLine({ path: [setting, index], message }: z.core.$ZodIssue, whole: Record<string, unknown>) {
  const value = whole[setting as string];
  const wrong = Array.isArray(value) && index !== undefined ? (value[Number(index)] as unknown) : value;
  const wrongText = typeof wrong === 'string' && wrong !== '' ? ` ${wrong}` : '';
  return `--${optionOf[setting as Setting]}${wrongText}: ${message}`;
}

async function oneApplication({ sql }: Pick<Deps, 'sql'>, words = ''): Promise<ApplicationRow> {
  const [application, ...others] = await findApplications(sql, words);
  if (!application) throw new Plain(`There is no application "${words}".`);
  if (others.length > 0)
    throw new Plain(
      [`${others.length + 1} applications match "${words}". Name one by its client id:`]
        .concat([application, ...others].map(applicationLine))
        .join('\n'),
    );
  return application;
}

const ownerOf = ({ organization, is_first_party }: ApplicationRow) =>
  organization ?? (is_first_party ? 'first-party' : 'third-party');

const applicationLine = (application: ApplicationRow) => {
  const { client_id, name, kind, paused_at: pausedAt } = application;
  return `${client_id}  ${name}  ${kind}, ${ownerOf(application)}${pausedAt ? ', paused' : ''}`;
};

/** The name of a field in `--help`. */
const labelOf = (field: string) =>
  field === 'sign_out_url'
    ? 'logout tokens'
    : field.replaceAll('_', ' ').replace('urls', 'addresses').replace('url', 'address');

/** Every field of an application that has a value. */
const detailLines = (application: ApplicationRow) =>
  Object.entries(application)
    .filter(([name]) => name !== 'id')
    .map(([field, value]) => [labelOf(field), textOf(value)] as const)
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${name.padEnd(20)} ${text}`);

/** A command on one application; its result also names it. */
const onApplication = (
  act: (
    deps: Deps,
    application: ApplicationRow,
    options: Options,
  ) => Promise<readonly [lines: readonly string[], data: object]>,
): Command['run'] => ({
  changes: async (deps, [words], options) => {
    const application = await oneApplication(deps, words);
    const [lines, data] = await act(deps, application, options);
    const { client_id, name } = application;
    return { lines: [`${client_id}  ${name}`, ...lines], data: { client_id, name, ...data } };
  },
});

const setPaused = (isPaused: boolean, line: string): Command['run'] =>
  onApplication(async (deps, { id }) => {
    unlessRefused(await pauseApplication(deps, by, id, isPaused));
    return [[line], { is_paused: isPaused }];
  });

/** Commands for applications that people enter through OpenID Connect. */
export const applicationCommands: Commands = {
  'applications add': {
    takes: [],
    accepts: [...settingOptions, 'icon'],
    does: 'Register an application of the suite; shows its client id and its secret',
    run: {
      changes: async (deps, _args, options): Promise<Result> => {
        const settings = await changedSettings(deps, unsetApplication, options);
        const icon = await iconOf(deps, options);
        const { clientId, secret } = await addApplication(deps, by, settings, icon);
        return {
          lines: [`client id  ${clientId}`, ...secretLines(secret)],
          data: { client_id: clientId, client_secret: secret },
        };
      },
    },
  },
  'applications list': {
    takes: [],
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
  'applications edit': {
    takes: [APPLICATION],
    accepts: [...settingOptions.filter((option) => option !== 'kind'), 'icon'],
    does: 'Change an application of the suite; a list of addresses replaces the whole list',
    run: onApplication(async (deps, application, options) => {
      const settings = await changedSettings(deps, settingsOf(application), options);
      const icon = await iconOf(deps, options);
      const { fields } = unlessRefused(await editApplication(deps, by, application.id, settings, icon));
      return [[`Changed: ${fields.map(labelOf).join(', ')}.`], { fields }];
    }),
  },
  'applications rotate-secret': {
    takes: [APPLICATION],
    accepts: ['at-once'],
    does: `Make a new secret; the former one ends after ${SECRET_OVERLAP_HOURS} hours, or --at-once`,
    run: onApplication(async (deps, { id }, options) => {
      const result = await rotateSecret(deps, by, id, options['at-once'] ?? false);
      const { secret, formerEnd } = unlessRefused(result);
      return [
        [...secretLines(secret), `The former secret ends at ${formerEnd.toISOString()}.`],
        { client_secret: secret, former_secret_ends: formerEnd },
      ];
    }),
  },
  'applications pause': {
    takes: [APPLICATION],
    does: 'Pause an application: nobody can sign in to it, and its tokens end',
    run: setPaused(true, 'Paused: nobody can sign in to it, and its tokens have ended.'),
  },
  'applications resume': {
    takes: [APPLICATION],
    does: 'Let people sign in to a paused application again',
    run: setPaused(false, 'People can sign in to it again.'),
  },
  'applications remove': {
    takes: [APPLICATION],
    does: 'Remove an application for good; its tokens end at once',
    run: onApplication(async (deps, { id }) => {
      unlessRefused(await removeApplication(deps, by, id));
      return [['Removed.'], {}];
    }),
  },
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
