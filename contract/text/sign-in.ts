/** Signing in, choosing a first password, and the page after the last step. */
export const signInText = {
  login: {
    title: 'Sign in',
    heading: 'Welcome back',
    lead: 'Sign in to your account.',
    email: 'Email',
    password: 'Password',
    forgot: 'Forgot password?',
    submit: 'Continue',
    newHere: 'New here?',
    signUp: 'Create a free account',
  },
  createPassword: {
    title: 'Create your password',
    lead: 'You sign in with it from now on.',
    password: 'New password',
    hint: 'At least {min} characters. A few words you can remember make a good one.',
    repeat: 'Repeat password',
    submit: 'Save and continue',
    usedHeading: 'This link no longer works',
    expiredHeading: 'This link is out of date',
    deadLead:
      'If you have set a password already, just sign in with it. If not, have a new link sent to you.',
    invited: 'Were you invited? Then ask the person who invited you for a new invitation.',
    signIn: 'Sign in',
    newLink: 'Send a new link',
  },
  closeTab: {
    title: 'You can close this tab',
    lead: 'All done here. Go on where you came from.',
    close: 'Close this tab',
    byHand: 'Your browser lets only you close this tab. Please close it by hand.',
    stay: 'Or stay and go to {product}',
  },
} as const;
