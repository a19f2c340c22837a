/** The other ways to sign in, as the pages offer them. */
export const socialButtonsText = {
  or: 'or continue with',
  providers: { facebook: 'Facebook', google: 'Google' },
  lastUsed: 'Last used',
} as const;
