/** The digest in a link as people copy it: 256 bits as base64url. Text after it, such as a full stop, is cut off. */
export const digestIn = (copied: unknown): string | undefined =>
  typeof copied === 'string' ? /^\s*([A-Za-z0-9_-]{43})/.exec(copied)?.[1] : undefined;
