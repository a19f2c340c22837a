const ruleFrame = {
  subject: '{organization} requires a second step',
  button: 'Set it up',
  footer:
    'You get this mail because you are a member of {organization}. Its Super Admins decide how members sign in.',
} as const;
const afterwards =
  'Without it you cannot enter the organization from then on. Your account and your other organizations stay open.';

export const secondStepMailText = {
  passkeyAdded: {
    subject: 'A passkey was added to your account',
    paragraphs: ['The passkey “{name}” opens your account from now on, without password and code.'],
  },
  passkeyRemoved: {
    subject: 'A passkey was removed from your account',
    paragraphs: ['The passkey “{name}” no longer opens your account.'],
  },
  passkeyCopied: {
    subject: 'One of your passkeys may have been copied',
    paragraphs: [
      'Somebody signed in to your account with a passkey whose counter did not grow. Either your authenticator was restored from a copy, or somebody else has a copy of it.',
      'If you are not sure, remove that passkey in My Profile and add a new one.',
    ],
  },
  authenticatorAdded: {
    subject: 'An authenticator app was added to your account',
    paragraphs: [
      'From now on, signing in with your password needs a second step, and a code from the app is one.',
    ],
  },
  authenticatorRemoved: {
    subject: 'The authenticator app was removed from your account',
    paragraphs: ['Its codes no longer sign you in to your account.'],
  },
  recoveryCodesRenewed: {
    subject: 'Your account has new recovery codes',
    paragraphs: ['The earlier recovery codes no longer work.'],
  },
  recoveryCodeUsed: {
    subject: 'A recovery code was used for your account',
    paragraphs: [
      'Somebody signed in to your account with a recovery code in place of another second step. You have {left} left.',
    ],
  },
  lastRecoveryCodeUsed: {
    subject: 'Your last recovery code was used',
    paragraphs: [
      'Somebody signed in to your account with the last recovery code. Make new codes in My Profile, or you may be locked out when you lose your phone.',
    ],
  },
  secondStepsReset: {
    subject: 'Your second steps were removed',
    paragraphs: [
      'The operator of this portal has removed the passkeys, the authenticator app, the recovery codes and the remembered browsers of your account, and has turned two-step sign-in off. Set them up again in My Profile.',
    ],
  },
  secondStepAsked: {
    ...ruleFrame,
    paragraphs: [
      '{organization} requires a second step at sign-in from {day} on. Turn on two-step sign-in, set up an authenticator app or add a passkey in My Profile before that day.',
      afterwards,
    ],
  },
  strongStepAsked: {
    ...ruleFrame,
    paragraphs: [
      '{organization} requires a passkey or an authenticator app from {day} on. Set one up in My Profile before that day.',
      afterwards,
    ],
  },
} as const;

export const severalChanges = 'Several changes to how you sign in';
