/** Recovery codes, on My Profile. */
export const recoveryCodeText = {
  needsTwoStep: 'Turn on two-step sign-in first. Only then a sign-in asks for a recovery code.',
} as const;
