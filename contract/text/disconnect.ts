/**
 * The question before a social sign-in is disconnected. A file of its own, because it loads with the dialog.
 */
export const disconnectText = {
  title: 'Disconnect {provider}?',
  effect:
    'Your {provider} account will no longer open your account here. Devices that are signed in stay signed in.',
} as const;
