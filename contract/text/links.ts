/**
 * Words shared by the pages of mailed links: headings for links that do not work, and the effects of locking
 * others out.
 */
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
