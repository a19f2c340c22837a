import type { ApplicationId } from '#contract/applications/registration.ts';
import { hasSecret, type SuiteApplication } from '#contract/applications/suite.ts';
import { refuse } from '#contract/errors.ts';
import { refusalText } from '#words/refusal.ts';
import { addClient, addSecret, changeIcon, renewSecret } from '#server/applications/clients.ts';
import { type StoredIcon, updateApplication } from '#server/applications/data-clients.ts';
import { anyApplication } from '#server/applications/own.ts';
import type { Deps } from '#server/deps.ts';
import {
  type ApplicationRow,
  suiteRow,
  lockApplication,
  settingsOf,
} from '#server/operator/applications/data.ts';
import { type Operator, registryOf } from '#server/registry/actions.ts';

/** The operator's acts on applications of the suite. Those of organizations can only be paused and removed. */
export const suite = registryOf<ApplicationId, ApplicationRow, 'not_found' | 'not_allowed'>({
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

/** Registers an application of the suite. The secret is null if the application has none. */
export const addApplication = (
  deps: Deps,
  by: Operator,
  settings: SuiteApplication,
  icon: StoredIcon | null = null,
) =>
  suite.add(deps, by, async (tx) => {
    const { id } = await addClient(tx, deps, suiteRow(settings));
    const secret = hasSecret(settings) ? await addSecret(tx, deps, id) : null;
    return { id, secret, information: await changeIcon(tx, deps, id, icon) };
  });

/** Saves new settings of an application of the suite, and another icon; null removes the icon. */
export const editApplication = (
  deps: Deps,
  by: Operator,
  id: ApplicationId,
  settings: SuiteApplication,
  icon?: StoredIcon | null,
) =>
  suite.change(deps, by, id, async (tx, { organization }) => {
    if (organization !== null) return refuse('not_allowed', { details: refusalText.ofOrganization });
    await updateApplication(tx, id, suiteRow(settings));
    return icon === undefined ? {} : changeIcon(tx, deps, id, icon);
  });
