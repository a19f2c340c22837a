export const stepUpText = {
  proofTitle: 'Is it you?',
  proofLead: 'Please enter your password once more to go on. What you have filled in stays as it is.',
  proofByCode: 'Please enter the code we mail you to go on. What you have filled in stays as it is.',
  proofByApp:
    'Please type the code from your authenticator app to go on. What you have filled in stays as it is.',
  proofByPasskey: 'Please use your passkey to go on. What you have filled in stays as it is.',
  orProve: 'Or:',
  proofs: {
    passkey: 'use a passkey',
    password: 'type your password',
    app: 'type a code from your app',
    mail: 'get a code by email',
  },
  password: 'Password',
  confirm: 'Confirm',

  on: 'On',
  off: 'Off',
  effectOn:
    'After your password we ask for a second step: a passkey, a code from your authenticator app, or a code by email. A recovery code stands in for a lost one.',
  effectOff: 'Your password alone opens your account. Turned on, we also ask for a second step.',
  effectOnLinked:
    'After your linked sign-in we ask for a second step: a passkey, a code from your authenticator app, or a code by email. A recovery code stands in for a lost one.',
  effectOffLinked: 'Your linked sign-in alone opens your account. Turned on, we also ask for a second step.',
  noWayToProve: 'To confirm it is you, sign out and in again.',
  tooManyProofs: 'Too many wrong answers. Sign out and in again, or choose a new password by mail.',
  turnOn: 'Turn on two-step sign-in',
  turnOff: 'Turn off two-step sign-in',
  locked: 'One of your organizations requires a second step. With a passkey you could turn this off.',
  turnOffTitle: 'Turn off two-step sign-in?',
  turnOffEffect: 'Your password alone opens your account then, for whoever comes to know it.',
  turnOffEffectLinked: 'Your linked sign-in alone opens your account then.',
  turnedOn: 'Two-step sign-in is on',
  turnedOff: 'Two-step sign-in is off',
} as const;
