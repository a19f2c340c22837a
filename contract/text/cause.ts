/** Why something did not come, and what to do; apart from the other words, for the entrance needs none of it. */
export const causeText = {
  ours: 'Something went wrong on our side. Try again.',
  offline: 'You seem to be offline. Check your connection and try again.',
} as const;
