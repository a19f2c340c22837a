/** A browser as a sentence names it. */
export const browserText = {
  on: '{browser} on {system}',
  unknown: 'an unknown browser',
} as const;
