export const createPasswordText = {
  title: 'Create your password',
  lead: 'You sign in with it from now on.',
  checking: 'We are looking at your link.',
  invitedLead: '{inviter} invites you to join {organization} as {role}. Choose a password, and you are in.',
  submit: 'Save and continue',
  missingLead: 'A part of it is missing. Open it once more from the mail, or have a new one sent.',
  deadLead: 'If you have set a password already, just sign in with it. If not, have a new link sent to you.',
  invited: 'Were you invited? Then ask the person who invited you for a new invitation.',
  signIn: 'Sign in',
  newLink: 'Send me a new link',
} as const;
