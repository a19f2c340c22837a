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
    discardTitle: 'Close without keeping them?',
    discardEffect: 'We can’t show them again. You have not copied, downloaded or printed them.',
    discard: 'Close',
    keep: 'Back to the codes',
  },
} as const;
