import {
  allowInsecureRequests,
  type CustomFetch,
  customFetch,
  discovery,
  type ServerMetadata,
} from 'openid-client';
import { ProviderFault } from './faults.ts';
import { bareIssuer } from '#contract/company-sign-in/issuer.ts';

/** Microsoft names a tenant by its id, and people name it by its domain or policy, too. */
const isMicrosoft = ({ hostname }: URL) =>
  hostname === 'login.microsoftonline.com' || hostname.endsWith('.b2clogin.com');
const isOwn = (named: string, asked: URL) =>
  bareIssuer(named).toLowerCase() === bareIssuer(asked.href).toLowerCase() ||
  (isMicrosoft(asked) && URL.canParse(named) && new URL(named).origin === asked.origin);

/** Whether the answer came, but is no document. */
const isNoDocument = (error: unknown) =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'OAUTH_RESPONSE_IS_NOT_JSON' ||
    error.code === 'OAUTH_PARSE_ERROR' ||
    (error.cause instanceof Response && error.cause.status < 500));

/** Reads a provider's discovery document, however its issuer is spelled. Its own spelling is the right one. */
export async function readDocument(issuer: URL, fetch: CustomFetch): Promise<ServerMetadata> {
  const address = new URL(`${bareIssuer(issuer.href)}/.well-known/openid-configuration`);
  // Only a provider on loopback has plain http.
  const execute = issuer.protocol === 'http:' ? [allowInsecureRequests] : [];
  const document = await discovery(address, 'unknown yet', undefined, undefined, {
    [customFetch]: fetch,
    execute,
  }).catch((error: unknown) => {
    throw isNoDocument(error) ? new ProviderFault('NO_DOCUMENT', '', { cause: error }) : error;
  });
  const metadata: ServerMetadata = document.serverMetadata();
  if (!isOwn(metadata.issuer, issuer)) throw new ProviderFault('OTHER_ISSUER', metadata.issuer);
  // A provider that signs its userinfo, too, rarely says by what.
  const { id_token_signing_alg_values_supported: algorithms = ['RS256'] } = metadata;
  return { userinfo_signing_alg_values_supported: algorithms, ...metadata };
}
