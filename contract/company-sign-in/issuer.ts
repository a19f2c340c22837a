declare const URL: { new (text: string): { href: string }; canParse(text: string): boolean };

/** An issuer without what people write too much: the final slash, capitals of the host, the path of its document. */
export const bareIssuer = (issuer: string) =>
  (URL.canParse(issuer) ? new URL(issuer).href : issuer)
    .replace(/\/\.well-known\/openid-configuration\/?$/, '')
    .replace(/\/+$/, '');

type Named = { readonly issuer: string; readonly clientId: string };
/** A subject belongs to its issuer, however it is spelled, and to the client where each client has its own (OpenID Connect Core, 8.1). */
export const namesAlike = (one: Named, other: Named) =>
  bareIssuer(one.issuer) === bareIssuer(other.issuer) && one.clientId === other.clientId;
