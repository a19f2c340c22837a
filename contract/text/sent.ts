/** Where a mail went, and the link to that mailbox. */
export const sentText = {
  sentTo: 'Sent to',
  open: 'Open {provider}',
  otherAddress: 'Use another address',
} as const;
