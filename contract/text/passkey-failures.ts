export const passkeyFailureText = {
  notAllowed:
    'The passkey was not used: you cancelled, it took too long, or this device has none for this account.',
  notMade: 'No passkey was made: you cancelled, or it took too long.',
  alreadyThere: 'This device or password manager already holds a passkey for your account.',
  notSupported: 'This browser or device cannot use passkeys. Please choose another way.',
  noVerification:
    'This authenticator cannot check that it is you. Set a PIN or screen lock, or choose another one.',
  wrongAddress: 'Passkeys do not work at this address. Open the portal at its usual address.',
  failed: 'The passkey could not be used. Please try again or choose another way.',
} as const;
