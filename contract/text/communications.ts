export const communicationsText = {
  title: 'Communications',
  lead: 'Which mails we send you besides those about your account.',
  choices: 'Email notifications',
  choicesHint: 'We send none of these unless you ask for them.',
  types: {
    productUpdates: {
      label: 'Product updates',
      hint: 'New features and changes in the applications you use.',
    },
    productOffers: { label: 'Product offers', hint: 'Plans and add-ons that may suit your organization.' },
    promotionalUpdates: { label: 'Promotional updates', hint: 'Events, surveys and news from us.' },
  },
  savedAtOnce: 'Each choice is saved as you tick it.',
  saved: 'Saved',
  security: 'Security mails',
  securityHint: 'They keep your account yours, so they can’t be switched off.',
  alwaysOn: 'Always on',
  securityLead: 'We always mail you about:',
  /** Each security mail names one of these keys, so the compiler asks for a missing line. */
  securityMails: {
    newDevice: 'a sign-in with a browser we have not seen before',
    credentials: 'a changed password or email address',
    providers: 'a Facebook or Google account linked or disconnected',
    applications: 'an application of another provider that may use your account',
    twoStep: 'two-step sign-in, a passkey, an authenticator app or recovery codes',
    membership: 'a change of your role or your access to an organization',
    account: 'a restriction or deletion of your account',
  },
} as const;
