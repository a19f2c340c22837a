export const upgradeText = {
  title: 'Upgrade your plan?',
  ask: '{limit} Ask whoever runs this portal to raise it.',
  act: 'Upgrade',
  notNow: 'Not now',
  close: 'Close',
} as const;
