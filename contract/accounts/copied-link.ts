/**
 * The digest in a link as people copy it: 256 bits as base64url. Text after it, such as the full stop
 * of a sentence, is cut off. Undefined if a part is missing.
 */
export const digestIn = (copied: unknown): string | undefined =>
  typeof copied === 'string' ? /^\s*([A-Za-z0-9_-]{43})/.exec(copied)?.[1] : undefined;
