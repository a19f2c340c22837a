export const signInText = {
  login: {
    title: 'Sign in',
    heading: 'Welcome back',
    lead: 'Sign in to your account.',
    email: 'Email',
    password: 'Password',
    forgot: 'Forgot password?',
    submit: 'Continue',
    passkey: 'Sign in with a passkey',
    noCookies: 'Your browser keeps no cookies. Please allow them for this site, then sign in again.',
    newHere: 'New here?',
    signUp: 'Create a free account',
  },
} as const;
