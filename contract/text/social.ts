import { socialButtonsText } from '#contract/text/social-buttons.ts';

export const socialText = {
  providers: socialButtonsText.providers,
  in: { title: 'You are signed in', lead: 'This window closes by itself.', goOn: 'Continue' },
  code: { title: 'One more step', lead: 'We mailed a code to {contact}.', goOn: 'Enter the code' },
  step: { title: 'One more step', lead: 'Please confirm that it is you.', goOn: 'Continue' },
  linked: {
    title: '{provider} is linked',
    lead: 'From now on you can sign in with {provider}, too.',
    goOn: 'Continue',
  },
  failedTitle: 'That did not work',
  failures: {
    stale:
      'This sign-in was used already, took longer than {minutes} minutes or began in another window. Please try again.',
    cancelled: 'You did not go on with {provider}, so nothing was changed.',
    noAnswer: '{provider} did not answer as it should. Please try again in a moment, or sign in another way.',
    notSetUp: 'Signing in with {provider} is not available here.',
    accountExists:
      'You already have an account with this address. Sign in with your password first, then you can link {provider} to it. If you never chose a password, “Forgot password?” mails you a link.',
    invited:
      'You were invited with this address. Please open the link in the invitation mail and choose a password first.',
    linkedElsewhere: 'This {provider} account opens another account here, so it was not linked to yours.',
    notConfirmed: 'Please confirm your email address first. We sent you a mail with a link.',
    deactivated: 'Your account is deactivated.',
    restricted: 'Your account is locked for a while.',
    tooMany: 'Too many tries. Please wait a moment.',
  },
  back: {
    support: 'What you can do',
    verify: 'Send the link again',
  },
} as const;
export type SocialFailure = keyof typeof socialText.failures;
