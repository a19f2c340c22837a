export const authenticatorText = {
  off: 'Not set up',
  on: 'Set up',
  hint: 'Scan a code once with an app such as 2FAS, Aegis or Google Authenticator. It also turns on two-step sign-in.',
  used: 'Set up {added}, last used {used}',
  unused: 'Set up {added}',
  setUp: 'Set up an app',
  replace: 'Replace',
  replaceName: 'Replace your authenticator app',
  remove: 'Remove',
  removeName: 'Remove your authenticator app',
  locked: 'One of your organizations requires it. You can replace it, or add a passkey to remove it.',
} as const;
