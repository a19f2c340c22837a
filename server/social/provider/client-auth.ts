import { type ClientAuth, ClientSecretPost, type ServerMetadata } from 'openid-client';
import { ProviderFault } from './faults.ts';

/** Leaves `-_.~` as they are, unlike the library's own, because some providers decode nothing (RFC 6749, 2.3.1). */
const inHeader =
  (secret: string): ClientAuth =>
  (_provider, { client_id: id }, _body, headers) => {
    const both = [id, secret].map(encodeURIComponent).join(':');
    headers.set('authorization', `Basic ${Buffer.from(both).toString('base64')}`);
  };

const WAYS = { client_secret_basic: inHeader, client_secret_post: ClientSecretPost };
/** How a client gives its secret: in a header or in the body. */
export type SecretWay = keyof typeof WAYS;
const ways = Object.keys(WAYS) as SecretWay[];

type Taker = { readonly metadata: ServerMetadata; readonly secretWay?: SecretWay | undefined };
/** The ways that a provider may take, the likeliest first. Without a list it takes Basic (OpenID Connect Discovery 1.0, 3). */
export function secretWaysOf({ metadata, secretWay }: Taker): SecretWay[] {
  const { token_endpoint_auth_methods_supported: listed = ways } = metadata;
  const possible = ways.filter((way) => listed.includes(way));
  if (possible.length === 0) throw new ProviderFault('NO_SECRET_WAY', listed.join(', '));
  return possible.toSorted((one, other) => Number(other === secretWay) - Number(one === secretWay));
}

export const authBy = (way: SecretWay, secret: string) => WAYS[way](secret);

/** Some providers list both ways and bind each client to one, so a refusal may mean the way. */
export const isClientRefused = (error: unknown): error is Error =>
  error instanceof Error &&
  (['invalid_client', 'unauthorized_client'].some((code) => 'error' in error && error.error === code) ||
    (error.cause instanceof Response && error.cause.status === 401));

/** Tries one way after the other until the provider knows the client. */
export async function byEachWay<T>(possible: readonly SecretWay[], ask: (way: SecretWay) => Promise<T>) {
  const refusals: Error[] = [];
  for (const way of possible) {
    try {
      return { way, answer: await ask(way) };
    } catch (error) {
      if (!isClientRefused(error)) throw error;
      refusals.push(error);
    }
  }
  throw new ProviderFault('CLIENT_REFUSED', '', { cause: refusals });
}
