export const recoveryText = {
  forgot: {
    title: 'Forgot your password?',
    lead: 'Tell us your address, and we send you a link to choose a new one.',
    email: 'Email',
    submit: 'Send me a link',
    sentHeading: 'Check your email',
    sentLead:
      'Open the link in the mail we sent you, and choose a new password. It works for {minutes} minutes.',
    noMail: 'No mail yet? Look in your spam folder, and make sure the address is right.',
    again: 'Send it again',
    sentAgain: 'Sent again',
    resent: 'A new mail is on its way.',
  },
  reset: {
    title: 'Choose a new password',
    lead: 'You sign in with it from now on. Everybody who is signed in to your account is signed out.',
    submit: 'Update password',
    missingLead: 'A part of it is missing. Open it once more from the mail, or have a new one sent.',
    usedLead: 'It was used already, or another one was. If your new password is set, just sign in.',
    expiredLead: 'A link works for {minutes} minutes. Have a new one sent, and open it soon.',
    newLink: 'Send me a new link',
    done: 'Password updated. Sign in with your new one.',
  },
  notMe: {
    title: 'Was this not you?',
    lead: 'Then somebody else may be in your account. One press locks them out:',
    submit: 'Sign everybody out',
    wasMe: 'If it was you after all, just close this page.',
    missingLead: 'A part of it is missing. Open it once more from the mail, or choose a new password.',
    usedLead:
      'It was used already, or your password has changed since. If you did not do that, choose a new password.',
    expiredLead: 'A link works for {days} days. To be safe, choose a new password.',
  },
} as const;
