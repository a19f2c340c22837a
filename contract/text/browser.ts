export const browserText = {
  on: '{browser} on {system}',
  unknown: 'an unknown browser',
} as const;
