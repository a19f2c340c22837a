import * as z from 'zod/mini';
import type { ApplicationId } from '#contract/applications/registration.ts';
import { SCOPES } from '#contract/split-by-bytes/scopes.ts';
import {
  ANY_ORGANIZATION,
  hasSecret,
  type SuiteApplication,
  suiteApplication,
  unsetApplication,
} from '#contract/applications/suite.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import type { InputOf } from '#contract/operator/act.ts';
import type { acts } from '#contract/operator/acts.ts';
import { labelOf } from '#contract/operator/application-settings.ts';
import { refusalText } from '#words/refusal.ts';
import { addClient, addSecret, changeIcon, renewSecret } from '#server/applications/clients.ts';
import { type StoredIcon, updateApplication } from '#server/applications/data-clients.ts';
import { anyApplication } from '#server/applications/own.ts';
import type { Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { storePicture } from '#server/drive/actions.ts';
import { operatorSender } from '#server/images.ts';
import {
  type ApplicationRow,
  listApplications,
  listSecrets,
  lockApplication,
  optionOf,
  settingNames,
  settingsOf,
  suiteRow,
} from '#server/operator/data-applications.ts';
import { listed, no, problemOf, textOf } from '#server/operator/lines.ts';
import { applicationLine, oneOrganization } from '#server/operator/subjects.ts';
import type { Changes, Looks, Work } from '#server/operator/work.ts';
import { registryActsOf } from '#server/registry/registry.ts';

/** The operator's acts on applications of the suite. Those of organizations can only be paused and removed. */
const suite = registryActsOf<ApplicationId, ApplicationRow, 'not_found' | 'not_allowed'>({
  ...anyApplication,
  missing: 'not_found',
  find: (tx, id) => lockApplication(tx, id),
  about: (_, { name }, action) => (action === 'create' || action === 'delete' ? {} : { application: name }),
  recorded: (row, _, isRemoved) =>
    isRemoved ? { name: row.name, client_id: row.client_id } : suiteRow(settingsOf(row)),
  isAlready: (row, isPaused) => (row.paused_at !== null) === isPaused,
  addresses: [],
  newSecret: async (tx, deps, row, formerEnd) => {
    if (row.organization !== null) return refuse('not_allowed', { details: refusalText.ofOrganization });
    if (!hasSecret(settingsOf(row))) return refuse('not_allowed', { details: refusalText.noSecret });
    return renewSecret(tx, deps, row.id, formerEnd);
  },
});

type Options = InputOf<(typeof acts)['applications add']>;
/** A picture is redrawn before the transaction, because that takes long. Null removes the icon. */
export async function storeIcon(deps: Deps, { icon }: { readonly icon?: string }) {
  if (icon === undefined || icon === '') return { stored: icon && null };
  const stored = await storePicture(deps, Buffer.from(icon, 'base64'), operatorSender);
  return stored instanceof Refusal ? stored : { stored };
}
type WithIcon = Options & { readonly stored?: StoredIcon | null };

function keysOf(base64: string): unknown {
  if (base64 === '') return null;
  try {
    return JSON.parse(Buffer.from(base64, 'base64').toString());
  } catch {
    return 'no JSON';
  }
}

/** The organization whose members may enter, by `--members-of` or `--members-only`; undefined without either. */
async function membersOf(tx: Tx, { 'members-of': words, 'members-only': isForMembers }: Options) {
  if (words) return oneOrganization(tx, words);
  if (words === '' || isForMembers === false) return { id: null };
  return { id: isForMembers ? ANY_ORGANIZATION : undefined };
}

async function changedSettings(tx: Tx, settings: SuiteApplication, options: Options) {
  const members = await membersOf(tx, options);
  if (members instanceof Refusal) return members;
  const { 'public-keys': keys } = options;
  const given: Record<string, unknown> = Object.fromEntries(
    settingNames.map((setting) => [setting, options[optionOf(setting)]]),
  );
  const changes = Object.entries({
    ...given,
    ...(keys !== undefined && { publicKeys: keysOf(keys) }),
    membersOf: members.id,
  })
    .filter(([, value]) => value !== undefined)
    // One empty address empties a list.
    .map(([name, value]) => [name, Array.isArray(value) ? value.filter((one) => one !== '') : value]);
  const whole: Record<string, unknown> = { ...settings, ...Object.fromEntries(changes) };
  const result = z.safeParse(suiteApplication, whole);
  if (result.success) return result.data;
  const lines = result.error.issues.map((issue) =>
    problemOf(issue, whole, (setting) => `--${optionOf(setting as keyof SuiteApplication)}`),
  );
  return no('invalid_input', lines.join('\n'));
}

/** The settings as the options that would give them. */
const givenBy = ({ membersOf: members, publicKeys: _, ...settings }: SuiteApplication) => ({
  ...Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [optionOf(name as keyof SuiteApplication), value]),
  ),
  'members-only': members === ANY_ORGANIZATION,
  'members-of': members ? String(members) : '',
});

const pause =
  (isPaused: boolean) =>
  async (work: Work<ApplicationRow>): Promise<object | Refusal> => {
    const result = await suite.pause(work.deps, work, work.on.id, isPaused);
    return result instanceof Refusal ? result : { is_paused: isPaused };
  };

export const applicationChanges = {
  /** An application of the suite has no secret if it cannot keep one, or proves itself by its keys. */
  'applications add': async (work, input: WithIcon) => {
    const settings = await changedSettings(work.tx, unsetApplication, input);
    if (settings instanceof Refusal) return settings;
    const added = await suite.add(work.deps, work, async (tx) => {
      const { id } = await addClient(tx, work.deps, suiteRow(settings));
      const secret = hasSecret(settings) ? await addSecret(tx, work.deps, id) : null;
      return { id, secret, information: await changeIcon(tx, work.deps, id, input.stored ?? null) };
    });
    if (added instanceof Refusal) return added;
    return { client_id: added.entry.client_id, client_secret: added.secret };
  },
  'applications edit': async (work, input: WithIcon) => {
    const settings = await changedSettings(work.tx, settingsOf(work.on), input);
    if (settings instanceof Refusal) return settings;
    return suite.change(work.deps, work, work.on.id, async (tx, { id, organization }) => {
      if (organization !== null) return refuse('not_allowed', { details: refusalText.ofOrganization });
      await updateApplication(tx, id, suiteRow(settings));
      return input.stored === undefined ? {} : changeIcon(tx, work.deps, id, input.stored);
    });
  },
  'applications rotate-secret': async (work, { 'at-once': isAtOnce }) => {
    const result = await suite.rotateSecret(work.deps, work, work.on.id, isAtOnce);
    if (result instanceof Refusal) return result;
    return { client_secret: result.secret, former_secret_ends: result.formerEnd };
  },
  'applications pause': pause(true),
  'applications resume': pause(false),
  'applications remove': (work) => suite.remove(work.deps, work, work.on.id),
} satisfies Partial<Changes>;

export const applicationLooks = {
  'applications list': async ({ sql }) => listed(await listApplications(sql), applicationLine),
  'applications show': async ({ sql, clock }, _input, application) => {
    const secrets = await listSecrets(sql, application.id, clock.now());
    const shown = [
      ...Object.entries(application).filter(([name]) => name !== 'id'),
      ['scopes', SCOPES],
      ...secrets.map(
        ({ created_at: at, ends_at: end }) =>
          ['secret', `of ${textOf(at)}${end ? `, ends at ${textOf(end)}` : ''}`] as const,
      ),
    ] as const;
    return {
      lines: shown
        .map(([name, value]) => [labelOf(name), textOf(value)] as const)
        .filter(([, value]) => value !== '')
        .map(([name, value]) => `${name.padEnd(20)} ${value}`),
      data: { ...application, secrets, settings: givenBy(settingsOf(application)) },
    };
  },
} satisfies Partial<Looks>;
