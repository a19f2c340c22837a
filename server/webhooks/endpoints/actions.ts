import { randomBytes } from 'node:crypto';
import type { Details } from '#contract/activity/recorded.ts';
import { whyNot } from '#contract/members/authority.ts';
import type { Input } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import { SECRET_OVERLAP_HOURS } from '#contract/limits.ts';
import { refusalText } from '#contract/text/refusals.ts';
import { type WebhookId, type webhooks, WEBHOOKS_PER_ORGANIZATION_MAX } from '#contract/webhooks/calls.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { recordActivity } from '#server/activity/data.ts';
import { changes } from '#server/activity/rules.ts';
import { fromNow, HOUR_MS } from '#server/clock.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { seal } from '#server/keys.ts';
import { type SuperAdmin, superAdminUnderLock } from '#server/members/actions.ts';
import { findCaller } from '#server/members/standing/data.ts';
import { tellSuperAdmins } from '#server/members/super-admin-news/actions.ts';
import {
  deleteWebhook,
  findWebhook,
  forgetFailures,
  insertWebhook,
  listWebhooks,
  replaceSecret,
  setPaused,
  updateWebhook,
  type Webhook,
} from '#server/webhooks/endpoints/data.ts';
import { type Change, webhookWords } from '#server/webhooks/endpoints/mail.ts';
import {
  problemOfAddress,
  recordedSettings,
  SECRET_PREFIX,
  type Settings,
} from '#server/webhooks/endpoints/rules.ts';

export type Scope = { readonly orgId: OrgId; readonly userId: UserId };
export type Person = { readonly fullName: string; readonly confirmed: boolean };
type Named = { readonly webhookId: WebhookId };

const matter = { to: 'manageWebhooks', details: refusalText.superAdminOfWebhooks } as const;

export async function listWebhooksOf(deps: Deps, scope: Scope) {
  const refusal = await refuseOthers(deps, scope);
  return refusal ?? listWebhooks(deps.sql, scope.orgId, deps.clock.now());
}

/** The refusal of everybody but Super Admins. */
export async function refuseOthers({ sql }: Deps, { orgId, userId }: Scope) {
  const caller = await findCaller(sql, orgId, userId);
  if (!caller) return refuse('org_not_found');
  return whyNot(caller, matter) ? refuse('super_admin_only', matter) : undefined;
}

/** Adds a webhook. Only this answer contains its secret. */
export const addWebhook = (
  deps: Deps,
  scope: Scope,
  person: Person,
  { url, description, events }: Input<typeof webhooks.add>,
) =>
  transaction(deps.sql, async (tx) => {
    const caller = await superAdminUnderLock(tx, scope, person, matter);
    if (caller instanceof Refusal) return caller;
    const now = deps.clock.now();
    const others = await listWebhooks(tx, scope.orgId, now);
    if (others.length >= WEBHOOKS_PER_ORGANIZATION_MAX) return refuse('webhook_limit_reached');
    const problem = problemOf(deps, url, others);
    if (problem) return problem;
    const { secret, sealed } = newSecret(deps);
    const settings = { url, description, events };
    const id = await insertWebhook(tx, {
      ...settings,
      orgId: scope.orgId,
      sealedSecret: sealed,
      createdBy: scope.userId,
      createdAt: now,
    });
    const webhook = await getWebhook(tx, deps, scope.orgId, id);
    await record(
      tx,
      deps,
      scope,
      webhook,
      'create',
      sideOf(settings, (value) => [null, value]),
    );
    await tell(tx, deps, caller, 'added', url, person);
    return { webhook, secret };
  });

export const changeWebhook = (
  deps: Deps,
  scope: Scope,
  person: Person,
  { webhookId, url, description, events }: Input<typeof webhooks.change>,
) =>
  changing(deps, scope, person, webhookId, async (tx, before, caller) => {
    const after = {
      url: url ?? before.url,
      description: description ?? before.description,
      events: events ?? before.events,
    };
    const information = changes(recordedSettings(before), recordedSettings(after));
    if (Object.keys(information).length === 0) return refuse('no_changes');
    const isMoved = after.url !== before.url;
    const all = await listWebhooks(tx, scope.orgId, deps.clock.now());
    const problem = isMoved && problemOf(deps, after.url, all);
    if (problem) return problem;
    await updateWebhook(tx, webhookId, after);
    if (isMoved) await forgetFailures(tx, webhookId, deps.clock.now());
    await record(tx, deps, scope, before, 'update', information);
    if (isMoved) await tell(tx, deps, caller, 'moved', after.url, person);
    return getWebhook(tx, deps, scope.orgId, webhookId);
  });

/** Removes a webhook with its waiting deliveries. */
export const removeWebhook = (
  deps: Deps,
  scope: Scope,
  person: Person,
  { webhookId, url }: Input<typeof webhooks.remove>,
) =>
  changing(deps, scope, person, webhookId, async (tx, webhook, caller) => {
    if (url !== webhook.url) return refuse('changed_meanwhile');
    await deleteWebhook(tx, webhookId);
    await record(
      tx,
      deps,
      scope,
      webhook,
      'delete',
      sideOf(webhook, (value) => [value, null]),
    );
    await tell(tx, deps, caller, 'removed', url, person);
    return { id: webhookId };
  });

/** Makes a new secret. For a day, both secrets sign, so that the receiver can change it without downtime. */
export const rotateSecret = (deps: Deps, scope: Scope, person: Person, { webhookId }: Named) =>
  changing(deps, scope, person, webhookId, async (tx, { url }, caller) => {
    const endsAt = fromNow(deps.clock, SECRET_OVERLAP_HOURS * HOUR_MS);
    const { secret, sealed } = newSecret(deps);
    await replaceSecret(tx, webhookId, sealed, endsAt);
    const webhook = await getWebhook(tx, deps, scope.orgId, webhookId);
    await record(tx, deps, scope, webhook, 'change', { former_secret_ends: endsAt });
    await tell(tx, deps, caller, 'secret', url, person);
    return { webhook, secret };
  });

/** Pauses a webhook, or resumes it even if it was switched off. */
export const pauseWebhook = (
  deps: Deps,
  scope: Scope,
  person: Person,
  { webhookId, isPaused }: Input<typeof webhooks.pause>,
) =>
  changing(deps, scope, person, webhookId, async (tx, before) => {
    const isOff = before.isPaused || before.switchedOffTime !== null;
    if (isPaused ? before.isPaused : !isOff) return refuse('no_changes');
    const now = deps.clock.now();
    await setPaused(tx, webhookId, isPaused ? now : null);
    if (!isPaused) await forgetFailures(tx, webhookId, now);
    await record(tx, deps, scope, before, 'update', { paused: [!isPaused, isPaused] });
    return getWebhook(tx, deps, scope.orgId, webhookId);
  });

/** Runs a change of one webhook under the organization's lock. */
export const changing = <T>(
  deps: Deps,
  scope: Scope,
  person: Person,
  id: WebhookId,
  change: (tx: Tx, webhook: Webhook, caller: SuperAdmin) => Promise<T>,
) =>
  transaction(deps.sql, async (tx) => {
    const caller = await superAdminUnderLock(tx, scope, person, matter);
    if (caller instanceof Refusal) return caller;
    const webhook = await findWebhook(tx, scope.orgId, id, deps.clock.now());
    return webhook ? change(tx, webhook, caller) : refuse('webhook_not_found');
  });

async function getWebhook(tx: Tx, { clock }: Deps, orgId: OrgId, id: WebhookId) {
  const webhook = await findWebhook(tx, orgId, id, clock.now());
  if (!webhook) throw new Error('the webhook is gone');
  return webhook;
}

/** The refusal of an address that is not public, or that another webhook has. */
function problemOf({ config }: Deps, url: string, others: readonly Webhook[]) {
  const isTaken = others.some((other) => other.url === url);
  const message = isTaken ? refusalText.webhookTaken : problemOfAddress(url, config.production);
  return message && refuse('invalid_input', { fields: { url: message } });
}

/** A signing secret, and how the database keeps it. */
export function newSecret({ keys }: Pick<Deps, 'keys'>) {
  const secret = SECRET_PREFIX + randomBytes(32).toString('base64');
  return { secret, sealed: seal(keys, SEAL_PURPOSE, secret) };
}
export const SEAL_PURPOSE = 'webhook';

const sideOf = (settings: Settings, change: (value: string) => [string | null, string | null]) =>
  Object.fromEntries(
    Object.entries(recordedSettings(settings)).map(([name, value]) => [name, change(value)]),
  );

export const record = (
  tx: Tx,
  deps: Deps,
  { orgId, userId }: Scope,
  { id, url }: Webhook,
  action: 'create' | 'update' | 'change' | 'delete',
  information: Details,
) =>
  recordActivity(tx, deps, `organization.webhook.${action}`, {
    orgId,
    userId,
    recordId: id,
    information: { webhook: url, ...information },
  });

/** Tells the Super Admins, because the receiver learns who the members are. */
const tell = (
  tx: Tx,
  deps: Deps,
  caller: SuperAdmin,
  change: Change,
  address: string,
  { fullName }: Person,
) => {
  const words = webhookWords(change, { organization: caller.organization, address, person: fullName });
  return tellSuperAdmins(tx, deps, caller, words, 'recentactivity');
};
