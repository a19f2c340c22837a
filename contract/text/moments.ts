export const momentText = {
  today: 'Today',
  yesterday: 'Yesterday',
  /** Inside a sentence. */
  within: { today: 'today', yesterday: 'yesterday' },
  at: '{day}, {time}',
} as const;
