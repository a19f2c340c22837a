export const dialogText = {
  discardTitle: 'Discard what you filled in?',
  discardEffect: 'Nothing was sent yet. Closing this loses it.',
  discard: 'Discard',
  keep: 'Keep editing',
} as const;
