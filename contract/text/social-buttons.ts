export const socialButtonsText = {
  or: 'or continue with',
  providers: { facebook: 'Facebook', google: 'Google' },
  lastUsed: 'Last used',
} as const;
