/** Cancelling a scheduled deletion. */
export const restoreText = {
  title: 'Restore your account',
  lead: 'Its deletion was asked for. One press cancels that, and everything is as it was.',
  submit: 'Restore my account',
  letGo: 'If you want it gone after all, just close this page.',
  doneHeading: 'Welcome back',
  doneLead: 'Your account is restored. Sign in, and go on where you left off.',
  signIn: 'Sign in',
  missingLead: 'A part of it is missing. Open it once more from the mail, or have it sent again.',
  usedLead: 'It was used already, or another one was. If your account is back, just sign in.',
  expiredLead: 'An account can be restored for {days} days. They are over, and it is erased for good.',
  signUp: 'Create a new account',
  again: 'Send the restore link again',
  sentHeading: 'Check your email',
  sentLead: 'Open the link in the mail we sent you, and your account is one press away.',
  noMail: 'No mail yet? Look in your spam folder. None comes when there is no account to restore.',
} as const;
