export const jobText = {
  severalChanges: 'Several changes in your organization',
  more: 'There were {count} more changes.',
  button: 'See activity',
  footer: 'You get this mail because you are a Super Admin of {organization}.',
} as const;
