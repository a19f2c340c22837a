/** First path segments that the server answers beside its pages. No organization may have these names. */
export const besidePages = 'api|assets|brand|dev|drive|healthz|metrics|oidc|outbox|readyz';

/** Plain path segments, query and fragment. Login and sign-up would lead in circles. */
const ownPage = new RegExp(
  `^/(?!(?:${besidePages}|login|signup)(?![a-z0-9-]))(?:[a-z0-9-]+(?:/[a-z0-9-]+)*/?)?` +
    String.raw`(?:[?#](?!.*%(?:[01][\da-fA-F]|7[fF]))[^\\\p{C}\p{Z}]*)?$`,
  'u',
);
const PATH_MAX_CHARACTERS = 2000;

/**
 * The path if it leads to a page of this portal, else undefined. The path comes from an address that anybody
 * may have written. So calls and files are excluded, and every text that some parser could read as another
 * host. Pages and server both use it before they follow such a path (docs/security.md F1, F9).
 */
export const ownPageAt = (path: string | null | undefined): string | undefined =>
  path && path.length <= PATH_MAX_CHARACTERS && ownPage.test(path) ? path : undefined;
