export const stepUpText = {
  proofTitle: 'Is it you?',
  proofLead: 'Please enter your password once more to go on.',
  proofByCode: 'Please enter the code we mail you to go on.',
  proofByApp: 'Please type the code from your authenticator app to go on.',
  proofByPasskey: 'Please use your passkey to go on.',
  filledStays: 'What you have filled in stays as it is.',
  orProve: 'Or:',
  proofs: {
    passkey: 'Use a passkey',
    password: 'Type your password',
    app: 'Type a code from your app',
    mail: 'Get a code by email',
  },
  password: 'Password',
  confirm: 'Confirm',

  noWayToProve: 'To confirm it is you, sign out and in again.',
  tooManyProofs: 'Too many wrong answers. Sign out and in again, or choose a new password by mail.',
} as const;
