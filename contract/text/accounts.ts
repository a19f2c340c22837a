export const accountsText = {
  signUp: {
    title: 'Create your account',
    lead: 'One account for every application.',
    email: 'Email',
    password: 'Password',
    submit: 'Create my free account',
    haveAccount: 'Already have an account?',
    signIn: 'Sign in',
    signInInstead: 'Sign in instead',
    ifInvited: 'Were you invited? Then a new link is on its way to your mailbox.',
  },
} as const;
