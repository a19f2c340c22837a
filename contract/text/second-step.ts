export const secondStepText = {
  title: 'Second step',
  otherWays: 'Try another way',
  ways: {
    passkey: 'Use a passkey',
    app: 'Type a code from your authenticator app',
    mail: 'Get a code by email',
    recovery: 'Type a recovery code',
  },
  remember: 'Remember this browser for {days} days',
  passkey: {
    title: 'Use your passkey',
    lead: 'Your device or security key asks you to confirm that it is you.',
    use: 'Continue with a passkey',
  },
  app: {
    title: 'Open your authenticator app',
    lead: 'Type the {count} digits that it shows now.',
  },
  recovery: {
    title: 'Type a recovery code',
    lead: 'Each of your ten codes works once.',
    label: 'Recovery code',
  },
  recoveryForm: 'A recovery code has 10 letters and digits, such as 4F7KM-2QX9A.',
  ended: 'That took too long. Please sign in again.',
} as const;
