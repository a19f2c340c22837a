/** The titles of passkeys and second steps on My Profile, which the first view has. */
export const waysInText = {
  title: 'Ways to sign in',
  passkeys: 'Passkeys',
  passkeysLead:
    'Sign in with your fingerprint, face, PIN or security key. A passkey counts as both steps of a sign-in.',
  twoStep: 'Two-step sign-in',
  twoStepLead: 'A second lock on your account: a stolen password alone opens nothing.',
  app: 'Authenticator app',
  appLead: 'An app on your phone that shows a new code every 30 seconds, also without a network.',
  recoveryCodes: 'Recovery codes',
  recoveryCodesLead: 'They open your account if you lose your phone or passkey. Each works once.',
};
