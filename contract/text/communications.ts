/** Which mails one gets. */
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
  securityMails: [
    'a sign-in with a browser we have not seen before',
    'a changed password or email address',
    'two-step sign-in switched on or off',
    'a change of your role or your access to an organization',
    'a restriction or deletion of your account',
  ],
} as const;
