export const recoveryDialogText = {
  title: 'Your recovery codes',
  lead: 'Keep them safe, such as in a password manager or on paper, but not only on your phone. We show them only this once.',
  codes: 'Recovery codes',
  copy: 'Copy',
  download: 'Download',
  print: 'Print',
  done: 'Done',
  heading: 'Recovery codes of {email} for {product}',
  made: 'Made on {day}. Each code works once.',
  closing: {
    discardTitle: 'Have you saved the codes?',
    discardEffect: 'We can’t show them again. If you lose them, you can make new ones here.',
    discard: 'Close',
    keep: 'Back to the codes',
  },
} as const;
