import { randomBytes } from 'node:crypto';
import type { Input } from '#contract/endpoint.ts';
import { refuse } from '#contract/errors.ts';
import { WEBHOOKS_PER_ORGANIZATION_MAX } from '#contract/limits.ts';
import { refusalText } from '#words/refusal.ts';
import { refusalText as lateText } from '#words/rules/refusal.ts';
import { webhookMailText } from '#words/webhook-mail.ts';
import { type WebhookEvent, type WebhookId, type webhooks } from '#contract/webhooks/calls.ts';
import type { Deps } from '#server/deps.ts';
import { seal } from '#server/keys.ts';
import { fillWords } from '#server/mail/frame.ts';
import { type Actor, ownerOf, registryActsOf, type SuperAdmin } from '#server/registry/registry.ts';
import {
  deleteWebhook,
  findWebhook,
  forgetFailures,
  insertWebhook,
  listWebhooks,
  replaceSecret,
  updateWebhook,
  type Webhook,
} from './data.ts';
import { problemOfAddress, recordedSettings, SECRET_PREFIX } from './rules.ts';

export const registry = registryActsOf<WebhookId, Webhook, 'webhook_not_found'>({
  missing: 'webhook_not_found',
  matter: { to: 'manageWebhooks', details: lateText.superAdminOfWebhooks },
  type: 'webhook',
  // Super Admins learn of it, because the receiver learns who the members are.
  wordsOf: (mail, { name, ...words }) => fillWords(webhookMailText[mail], { ...words, address: name }),
  page: 'organization/webhooks',
  find: (tx, id, orgId, { clock }) => findWebhook(tx, orgId, id, clock.now()),
  nameOf: ({ url }) => url,
  about: (_, { url }) => ({ webhook: url }),
  recorded: recordedSettings,
  addresses: ['url'],
  newSecret: async (tx, deps, { id }, formerEnd) => {
    const { secret, sealed } = newSecret(deps);
    await replaceSecret(tx, id, sealed, formerEnd);
    return secret;
  },
  isAlready: (webhook, isPaused) =>
    isPaused ? webhook.isPaused : !webhook.isPaused && webhook.switchedOffTime === null,
  // Also resumes a webhook that was switched off.
  setPaused: async (tx, id, isPaused, { clock }) => {
    const now = clock.now();
    await updateWebhook(tx, id, isPaused ? { paused_at: now } : { paused_at: null, switched_off_at: null });
    if (!isPaused) await forgetFailures(tx, id, now);
  },
  remove: deleteWebhook,
});

export const listWebhooksOf = async (deps: Deps, scope: Pick<SuperAdmin, 'orgId' | 'userId'>) =>
  (await registry.refuseOthers(deps, scope)) ?? listWebhooks(deps.sql, scope.orgId, deps.clock.now());

type Settings = { readonly url: string; readonly description: string; readonly events: WebhookEvent[] };
/** A webhook of the suite receives events of every organization and of people's accounts. */
export const addWebhook = (deps: Deps, actor: Actor, { url, description, events }: Settings) =>
  registry.add(deps, actor, async (tx) => {
    const [orgId, createdAt] = [ownerOf(actor), deps.clock.now()];
    const others = await listWebhooks(tx, orgId, createdAt);
    if (orgId !== null && others.length >= WEBHOOKS_PER_ORGANIZATION_MAX)
      return refuse('webhook_limit_reached');
    const problem = problemOf(deps, actor, url, others);
    if (problem) return problem;
    const { secret, sealed } = newSecret(deps);
    const id = await insertWebhook(tx, {
      url,
      description,
      events,
      org_id: orgId,
      sealed_secret: sealed,
      created_by: 'userId' in actor ? actor.userId : null,
      created_at: createdAt,
    });
    return { id, secret };
  });

export const changeWebhook = (
  deps: Deps,
  superAdmin: SuperAdmin,
  { id, orgId, ...input }: Input<typeof webhooks.change>,
) =>
  registry.change(deps, superAdmin, id, async (tx, before) => {
    const { url = before.url, description = before.description, events = before.events } = input;
    if (url !== before.url) {
      const others = await listWebhooks(tx, orgId, deps.clock.now());
      const problem = problemOf(deps, superAdmin, url, others);
      if (problem) return problem;
      await forgetFailures(tx, id, deps.clock.now());
    }
    await updateWebhook(tx, id, { url, description, events });
    return {};
  });

/** The refusal of an address that another webhook has, or that is not public. The operator may use private ones. */
function problemOf({ config }: Deps, actor: Actor, url: string, others: readonly Webhook[]) {
  const taken = others.some((other) => other.url === url) ? refusalText.webhookTaken : undefined;
  if (ownerOf(actor) === null) return taken && refuse('not_allowed', { details: taken });
  const message = taken ?? problemOfAddress(url, config.production);
  return message && refuse('invalid_input', { fields: { url: message } });
}

function newSecret({ keys }: Pick<Deps, 'keys'>) {
  const secret = SECRET_PREFIX + randomBytes(32).toString('base64');
  return { secret, sealed: seal(keys, SEAL_PURPOSE, secret) };
}
export const SEAL_PURPOSE = 'webhook';
