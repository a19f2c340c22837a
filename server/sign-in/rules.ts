/**
 * The path to go on to after signing in: inside the portal, or nothing. Backslashes, control characters, a second
 * slash, dot segments and encoded forms of them would leave it in one browser or another (docs/security.md F1).
 */
export function nextPath(asked: string | undefined): string | undefined {
  if (!asked || !/^\/[^\s\\\p{Cc}]*$/u.test(asked)) return undefined;
  if (/^\/(\/|%2f|%5c)/i.test(asked) || /^\/(api|drive|login|signup)([/?#]|$)/i.test(asked)) return undefined;
  if (/^[^?#]*\/(\.|%2e){1,2}([/?#]|$)/i.test(asked)) return undefined;
  return asked;
}
