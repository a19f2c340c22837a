export const codeText = {
  title: 'Check your email',
  sent: 'We sent a {count}-digit code to',
  label: '{count}-digit code',
  submit: 'Verify',
  back: 'Back',
  noCode: 'No code?',
  again: 'Send it again',
  in: 'in {time}',
  resent: 'A new code is on its way.',
  ended: 'That code is no longer valid. Please sign in again, and we mail you a new one.',
} as const;
