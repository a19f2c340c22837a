export const applicationSignOutText = {
  title: 'Sign out',
  opening: 'One moment…',
  ask: 'Sign out?',
  lead: '{application} asks to sign you out of {product} and of every application you entered from here.',
  unaskedLead:
    'No application asks for it any more. You can still sign out of {product} and of every application you entered from here.',
  someApplication: 'An application',
  signOut: 'Sign out',
  stay: 'Stay signed in',
  signedOut: 'You are signed out',
  signedOutLead: 'Nobody is signed in to {product} in this browser any more.',
  signIn: 'Sign in',
} as const;
