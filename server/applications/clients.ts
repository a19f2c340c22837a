import { type ApplicationId, keepsSecret, SCOPES } from '#contract/applications/registration.ts';
import {
  endSecrets,
  insertApplication,
  insertSecret,
  replaceIcon,
  type StoredIcon,
  type ClientRow,
} from './data-clients.ts';
import type { Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { deleteLater } from '#server/drive/actions.ts';
import { randomToken, sha256 } from '#server/keys.ts';

type NewClient = Omit<Parameters<typeof insertApplication>[1], 'client_id' | 'created_at'>;
/** Registers an application. Its client ID is public, so it only has to be unique. */
export const addClient = (tx: Tx, { clock }: Pick<Deps, 'clock'>, application: NewClient) =>
  insertApplication(tx, {
    ...application,
    client_id: `app-${randomToken().slice(0, 16)}`,
    created_at: clock.now(),
  });

/** Gives an application a new secret and returns it; the database keeps only its hash. */
export async function addSecret(tx: Tx, { clock }: Pick<Deps, 'clock'>, applicationId: ApplicationId) {
  const secret = randomToken();
  const secret_hash = sha256(secret);
  await insertSecret(tx, { application_id: applicationId, secret_hash, created_at: clock.now() });
  return secret;
}

/** Replaces the secret; the current one stays valid until `formerEnd`. */
export async function renewSecret(tx: Tx, deps: Pick<Deps, 'clock'>, id: ApplicationId, formerEnd: Date) {
  await endSecrets(tx, id, formerEnd);
  return addSecret(tx, deps, id);
}

/** Replaces or removes an application's icon; returns the change for the activity log. */
export async function changeIcon(tx: Tx, deps: Deps, id: ApplicationId, icon: StoredIcon | null) {
  const former = await replaceIcon(tx, id, icon, deps.clock.now());
  if (former) await deleteLater(tx, deps, former);
  return former || icon ? { icon: [former, icon?.fileId ?? null] } : {};
}

type Client = Omit<ClientRow, 'is_for_everyone'>;

function authentication({ kind, secrets, public_keys }: Client, now: Date) {
  const seconds = now.getTime() / 1000;
  const live = secrets.filter(({ endsAt }) => endsAt === null || endsAt > seconds).map(({ hash }) => hash);
  if (public_keys) return { token_endpoint_auth_method: 'private_key_jwt', jwks: public_keys };
  if (live.length === 0 && !keepsSecret(kind)) return { token_endpoint_auth_method: 'none' };
  // Hashes in place of the secret, which `compareClientSecret` compares. No secret equals the hash of a missing one.
  return { token_endpoint_auth_method: 'client_secret_basic', client_secret: live.join(' ') || 'missing' };
}

/** A registered application as the provider's client metadata (OpenID Connect Dynamic Registration 1.0, section 2). */
export function metadataOf(client: Client, now: Date): Record<string, unknown> {
  const isForPeople = client.kind !== 'server';
  return {
    client_id: client.client_id,
    client_name: client.name,
    application_type: client.kind === 'native' ? 'native' : 'web',
    redirect_uris: [...client.redirect_urls],
    post_logout_redirect_uris: [...client.signed_out_urls],
    grant_types: isForPeople ? ['authorization_code', 'refresh_token'] : ['client_credentials'],
    response_types: isForPeople ? ['code'] : [],
    id_token_signed_response_alg: client.signing_algorithm,
    subject_type: client.is_first_party || !isForPeople ? 'public' : 'pairwise',
    // Subjects depend on the client ID alone. The library asks for this address, and nobody fetches it.
    sector_identifier_uri: 'https://sector.invalid/',
    scope: SCOPES.join(' '),
    require_pushed_authorization_requests: client.requires_par,
    dpop_bound_access_tokens: client.requires_dpop,
    application_id: client.id,
    org_id: client.org_id,
    is_first_party: client.is_first_party,
    apis: client.apis,
    requires_pkce: client.requires_pkce,
    members_of: client.members_of,
    ...authentication(client, now),
    ...(client.sign_out_url && {
      backchannel_logout_uri: client.sign_out_url,
      backchannel_logout_session_required: true,
    }),
  };
}
