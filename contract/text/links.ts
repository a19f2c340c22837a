/** What the pages of mailed links have in common: their heads where a link does not serve, and what locking others out does. */
export const linkText = {
  missing: 'This link is not complete',
  used: 'This link no longer works',
  expired: 'This link is out of date',
  lockOut: {
    effects: [
      'Everybody is signed out, on every device.',
      'You choose a new password right after, and the old one ends.',
    ],
    newPassword: 'Choose a new password',
  },
} as const;
