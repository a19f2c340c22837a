export const restoreEmailText = {
  title: 'Keep your address?',
  lead: 'Somebody changed the address of your account, or wants to. If it was not you, one press undoes it:',
  effect: 'This address is the one you sign in with, as before.',
  submit: 'Keep this address',
  wasMe: 'If it was you, just close this page.',
  missingLead: 'A part of it is missing. Open it once more from the mail.',
  usedLead:
    'It was used already. Your address is as it was before; choose a new password if you have not yet.',
  expiredLead:
    'An address can be taken back for {days} days. If it was not you, ask whoever runs this portal.',
  takenHeading: 'This address has another account or an invitation',
  takenLead:
    'If somebody has invited this address since, we have just mailed a new link to it: open that one. If you have opened a new account with it, sign in there, give it another address, and open this link again.',
} as const;
