/** The applications that may use a person's account, in My Profile. */
export const connectedText = {
  title: 'Connected applications',
  lead: 'Applications that you entered with your account. Without access an application asks you again.',
  empty: 'You have not entered an application yet',
  emptyHint: 'An application appears here once you sign in to it with this account.',
  ofSuite: 'From us',
  from: 'From {organization}',
  fromOthers: 'From another provider',
  for: 'For {organization}',
  since: 'Connected since {since}, last entered {lastUsed}',
  learns: 'It may see: {access}',
  ownProfile: 'name and picture',
  remove: 'Remove access',
  removeOne: 'Remove access of {application}',
  removed: '{application} can no longer use your account',
} as const;
