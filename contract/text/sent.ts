export const sentText = {
  sentTo: 'Sent to',
  open: 'Open {provider}',
  otherAddress: 'Use another address',
} as const;
