/** Why something did not load, and what to do. A file of its own, because public pages do not need it. */
export const causeText = {
  ours: 'Something went wrong on our side. Try again.',
  offline: 'You seem to be offline. Check your connection and try again.',
} as const;
