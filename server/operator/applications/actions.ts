import type { ApplicationId } from '#contract/applications/registration.ts';
import { hasSecret, type SuiteApplication } from '#contract/applications/suite.ts';
import { refuse } from '#contract/errors.ts';
import { SECRET_OVERLAP_HOURS } from '#contract/limits.ts';
import { refusalText } from '#contract/text/refusals.ts';
import { canonicalJson, changes } from '#server/activity/rules.ts';
import { addSecret, changeIcon, newClientId } from '#server/applications/clients/actions.ts';
import {
  deleteApplication,
  endSecrets,
  setPaused,
  type StoredIcon,
} from '#server/applications/clients/data.ts';
import { fromNow, HOUR_MS } from '#server/clock.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { type Operator, recordAct } from '#server/operator/actions.ts';
import {
  type ApplicationRow,
  columnsOf,
  insertApplication,
  lockApplication,
  updateApplication,
} from '#server/operator/applications/data.ts';

/** Registers an application of the suite. The secret is null if the application has none. */
export const addApplication = (
  deps: Deps,
  by: Operator,
  settings: SuiteApplication,
  icon: StoredIcon | null = null,
) =>
  transaction(deps.sql, async (tx) => {
    const clientId = newClientId();
    const columns = columnsOf(settings);
    const { id } = await insertApplication(tx, {
      ...columns,
      client_id: clientId,
      created_at: deps.clock.now(),
    });
    const secret = hasSecret(settings) ? await addSecret(tx, deps, id) : null;
    const values = Object.entries(columns).map(([name, value]) => [name, [null, value]] as const);
    const information = { ...Object.fromEntries(values), ...(await changeIcon(tx, deps, id, icon)) };
    await recordAct(tx, deps, by, 'operator.suiteApplication.create', id, information);
    return { clientId, secret };
  });

/** Runs `act` under the row lock of an application. */
const withApplication = <T>(
  deps: Deps,
  id: ApplicationId,
  act: (tx: Tx, application: ApplicationRow) => Promise<T>,
) =>
  transaction(deps.sql, async (tx) => {
    const application = await lockApplication(tx, id);
    return application ? act(tx, application) : refuse('not_found');
  });

/** Saves new settings of an application of the suite, and another icon; null removes the icon. */
export const editApplication = (
  deps: Deps,
  by: Operator,
  id: ApplicationId,
  settings: SuiteApplication,
  icon?: StoredIcon | null,
) =>
  withApplication(deps, id, async (tx, application) => {
    if (application.organization !== null)
      return refuse('not_allowed', { details: refusalText.ofOrganization });
    const columns = columnsOf(settings);
    const same = (name: keyof typeof columns) =>
      canonicalJson(columns[name]) === canonicalJson(application[name]);
    const change = Object.fromEntries(
      Object.entries(columns).filter(([name]) => !same(name as keyof typeof columns)),
    );
    const information = {
      ...changes(application, change),
      ...(icon !== undefined && (await changeIcon(tx, deps, id, icon))),
    };
    const fields = Object.keys(information);
    if (fields.length === 0) return refuse('no_changes');
    if (Object.keys(change).length > 0) await updateApplication(tx, id, change);
    await recordAct(tx, deps, by, 'operator.suiteApplication.update', id, {
      application: application.name,
      ...information,
    });
    return { fields };
  });

/** Makes a new secret. The current one stays valid for a day, or ends at once if it has leaked. */
export const rotateSecret = (deps: Deps, by: Operator, id: ApplicationId, atOnce: boolean) =>
  withApplication(deps, id, async (tx, application) => {
    if (application.organization !== null)
      return refuse('not_allowed', { details: refusalText.ofOrganization });
    if (!hasSecret({ kind: application.kind, publicKeys: application.public_keys }))
      return refuse('not_allowed', { details: refusalText.noSecret });
    const formerEnd = atOnce ? deps.clock.now() : fromNow(deps.clock, SECRET_OVERLAP_HOURS * HOUR_MS);
    await endSecrets(tx, id, formerEnd);
    const secret = await addSecret(tx, deps, id);
    const information = { application: application.name, former_secret_ends: [null, formerEnd] };
    await recordAct(tx, deps, by, 'operator.suiteApplication.change', id, information);
    return { clientId: application.client_id, secret, formerEnd };
  });

/** Pauses an application or resumes it. Nobody can sign in to a paused one, and its tokens end for good. */
export const pauseApplication = (deps: Deps, by: Operator, id: ApplicationId, isPaused: boolean) =>
  withApplication(deps, id, async (tx, application) => {
    if ((application.paused_at !== null) === isPaused) return refuse('no_changes');
    await setPaused(tx, id, isPaused ? deps.clock.now() : null);
    const information = { application: application.name, paused: [!isPaused, isPaused] };
    await recordAct(tx, deps, by, 'operator.suiteApplication.update', id, information);
    return { isPaused };
  });

/** Removes an application. Its tokens end with it. */
export const removeApplication = (deps: Deps, by: Operator, id: ApplicationId) =>
  withApplication(deps, id, async (tx, application) => {
    await deleteApplication(tx, id);
    const { name, client_id: clientId } = application;
    await recordAct(tx, deps, by, 'operator.suiteApplication.delete', id, {
      name: [name, null],
      client_id: [clientId, null],
    });
    return { clientId };
  });
