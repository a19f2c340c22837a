declare const URL: { new (text: string): { href: string }; canParse(text: string): boolean };

/** An issuer without what people write too much: the final slash, capitals of the host, the path of its document. */
export const bareIssuer = (issuer: string) =>
  (URL.canParse(issuer) ? new URL(issuer).href : issuer)
    .replace(/\/\.well-known\/openid-configuration\/?$/, '')
    .replace(/\/+$/, '');
