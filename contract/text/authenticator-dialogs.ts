/** The dialogs for the authenticator app on My Profile. */
export const authenticatorDialogText = {
  setUpTitle: 'Set up an authenticator app',
  replaceLead: 'Your current app works until the new one is set up.',
  scan: 'Scan this with your app.',
  qrCode: 'QR code for your authenticator app',
  type: 'If you can’t scan it, type this key into the app.',
  key: 'key',
  confirm: 'Type the {count} digits that the app shows now.',
  finish: 'Finish',
  done: 'Your authenticator app is set up',
  expired: 'That took too long. Please start again.',
  removeTitle: 'Remove your authenticator app?',
  removeEffect: 'Its codes will no longer work here. Then delete the entry in the app as well.',
  removeAct: 'Remove app',
  removed: 'Authenticator app removed',
} as const;
