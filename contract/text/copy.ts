export const copyText = {
  copy: 'Copy {label}',
  copied: 'Copied',
  failed: 'Your browser did not let us copy. Please select the text and copy it.',
} as const;

export const secretClosingText = {
  discardTitle: 'Have you saved the secret?',
  discardEffect: 'It was not copied, and we can’t show it again. If you lose it, you can make a new one.',
  discard: 'Close',
  keep: 'Back to the secret',
} as const;
