export const secondStepRuleText = {
  title: 'Second step of members',
  lead: 'A second step at sign-in keeps the organization closed to a stolen password.',
  rule: 'Members need',
  rules: {
    none: 'No second step',
    any: 'Any second step',
    strong: 'A passkey or an authenticator app',
  },
  hints: {
    none: 'A password alone opens the organization.',
    any: 'A code by email counts, too.',
    strong: 'A code by email is not enough.',
  },
  from: 'From',
  fromHint: 'We tell members without it now, by mail and in the portal.',
  atOnce: 'At once',
  unready: '{count} of {members} members do not meet this yet.',
  oneUnready: '1 of {members} members does not meet this yet.',
  allReady: 'All members meet this.',
  holds: 'In effect since {day}.',
  willHold: 'Takes effect on {day}.',
  save: 'Save changes',
  saved: 'Second step of members updated',
  badDay: 'Please choose a day after today, or “At once”.',
  ownFirst: 'You do not meet this yourself yet',
  ownFirstLead: 'Meet it here first, or you would lock yourself out. What you have chosen stays.',
  confirmOwn: 'Confirm with your second step',

  askTitle: 'Require a second step?',
  askAct: 'Require it',
  lockOut: 'Lock out {count} of {members} members',
  liftTitle: 'Stop requiring a second step?',
  liftAct: 'Stop requiring it',
  liftEffect: 'Then a password alone opens {organization}.',
  effectNow: 'From now on {organization} opens only to members who have it and show it at sign-in.',
  effectLater: 'From {day} on {organization} opens only to members who have it and show it at sign-in.',
} as const;

export const awaitingText = {
  title: '{organization} requires a second step',
  titleLater: '{organization} requires a second step from {day} on',
  closedLead: {
    any: 'Its members sign in with a second step: a passkey, an authenticator app or a code by email.',
    strong: 'Its members sign in with a passkey or an authenticator app.',
  },
  bannerLater: {
    any: '{organization} requires a second step from {day} on. Set one up before that day.',
    strong:
      '{organization} requires a passkey or an authenticator app from {day} on. Set one up before that day.',
  },
  bannerClosed: {
    any: '{organization} requires a second step. Set one up to open it.',
    strong: '{organization} requires a passkey or an authenticator app. Set one up to open it.',
  },
  bannerReady: '{organization} asks for your second step.',
  bannerOpen: '{organization} is open to you now.',
  setUp: 'Set one up',
  setUpTitle: 'Set up a second step',
  setUpLead: 'You do it once. Your account and your other organizations stay open meanwhile.',
  confirmTitle: 'Confirm with your second step',
  confirmLead:
    'You have a second step already. This browser has not shown it yet. If you have lost it, use a recovery code, or ask a Super Admin to set you to Inactive until you have a new one.',
  confirm: 'Confirm and open {organization}',
  open: 'Open {organization}',
  openTitle: '{organization} is open to you',
  openLead: 'You meet its requirement.',
  others: 'Your other organizations',
} as const;

export const waysText = {
  passkey: {
    act: 'Add a passkey',
    hint: 'Sign in with your fingerprint, face, PIN or security key. Quickest, and safe from phishing.',
  },
  app: {
    act: 'Set up an authenticator app',
    hint: 'An app on your phone shows a new code every 30 seconds.',
  },
  appAgain: 'Use your authenticator app',
  mail: { act: 'Get codes by email', hint: 'We mail you a code at each sign-in.' },
} as const;

export const passkeyOfferText = {
  title: 'Sign in without a password next time?',
  lead: 'A passkey opens your account with your fingerprint, face or screen lock. It stays on your devices and cannot be guessed or phished.',
  create: 'Create a passkey',
  later: 'Not now',
  added: 'Passkey added',
} as const;
