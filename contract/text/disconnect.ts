/** The question before a sign-in elsewhere is disconnected; it comes with the dialog. */
export const disconnectText = {
  title: 'Disconnect {provider}?',
  effect:
    'Your {provider} account will no longer open your account here. Devices that are signed in stay signed in.',
} as const;
