/** Where a mail went, and the way to it. */
export const sentText = {
  sentTo: 'Sent to',
  open: 'Open {provider}',
  otherAddress: 'Use another address',
} as const;
