/** Confirming the address, and having the link sent again. */
export const confirmationText = {
  verifyAccount: {
    title: 'Check your email',
    lead: 'Open the link in the mail we sent you, and your address is confirmed.',
    noMail: 'No mail yet? Look in your spam folder. None comes when the address is confirmed already.',
    enterHeading: 'Confirm your address',
    enterLead: 'Tell us your address, and we send you a link that confirms it.',
    forgot: 'Forgot your password?',
  },
  resend: {
    email: 'Email',
    submit: 'Send a new link',
    again: 'Send it again',
    againIn: 'Send it again in {time}',
    sent: 'A new link is on its way.',
  },
  verifyEmail: {
    title: 'Confirm your address',
    checking: 'One moment, we are looking at your link.',
    askLead: 'Enter the password you chose when you signed up. It shows that the account is yours.',
    askNewLead: 'Enter the password of your account. It shows that the account is yours.',
    signedInLead: 'You are signed in, so one press is enough.',
    password: 'Password',
    submit: 'Confirm my address',
    or: 'or',
    newPassword: 'Set a new password instead',
    newPasswordHint: 'For when you forgot it, or somebody else signed up with your address.',
    confirmedHeading: 'Your address is confirmed',
    confirmedLead: 'Thank you. Everything is open to you now.',
    confirmedSignInLead: 'Thank you. Sign in, and everything is open to you.',
    goOn: 'Continue',
    signIn: 'Sign in',
    missingLead: 'A part of it is missing. Open it once more from the mail, or have a new one sent.',
    usedLead:
      'It was used already, or a newer one took its place. If your address is confirmed, just sign in.',
    newUsedLead:
      'It was used already, or a newer one took its place. My Profile shows which address your account has.',
    expiredLead: 'A link works for {hours} hours. Have a new one sent, and open it soon.',
    newExpiredLead: 'A link works for {hours} hours. You can have a new one sent on My Profile.',
    toProfile: 'Go to My Profile',
  },
} as const;
