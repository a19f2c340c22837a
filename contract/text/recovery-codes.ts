export const recoveryCodeText = {
  needsTwoStep: 'Turn on two-step sign-in first. Only then a sign-in asks for a recovery code.',
  left: '{left} of {count} left',
  made: 'Made {time}',
  few: 'Make new ones before you run out.',
  gone: 'None are left. Make new ones, so that a lost phone does not lock you out.',
  make: 'Make recovery codes',
  renew: 'Make new codes',
  renewTitle: 'Make new recovery codes?',
  renewEffect: 'Your old codes stop working at once, wherever you keep them.',
} as const;
