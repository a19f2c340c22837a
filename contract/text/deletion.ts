/** The words of Delete Account. */
export const deletionText = {
  title: 'Delete Account',
  lead: 'Everything that is yours alone goes for good. You have {days} days to change your mind.',
  happens: 'What happens',
  happensHint: 'Nothing yet: we ask once more before anything is done.',
  atOnce: 'At once',
  atOnceEffect: 'You are signed out everywhere, and nobody can sign in to your account any more.',
  meanwhile: 'For {days} days',
  meanwhileEffect: 'The link we mail to {email} brings everything back as it was.',
  meanwhileNoEmail:
    'Your account can still be brought back. We have no confirmed address of yours, so ask whoever runs {product}.',
  finally: 'On {date}',
  finallyEffect:
    'Your name, your address, your phone number and every way to sign in are erased. The address is then free for a new account.',
  imageGoes: 'One image goes with them.',
  imagesGo: '{count} images go with them.',
  logStays: 'Activity logs keep what was done, by a “Deleted user”.',
  organizations: 'Your organizations',
  organizationsHint: 'What becomes of each of them.',
  noOrganizations: 'You are in no organization, so nobody else is affected.',
  leaves: 'You leave',
  leavesEffect: 'Everything in it stays. Its admins see you as Inactive until you are erased.',
  goes: 'Goes with you',
  goesEffect: 'Nobody else is in it, so it is erased with you: settings, roles and icons.',
  blocks: 'Needs a Super Admin',
  blocksEffect:
    'You are its only active Super Admin, and others are in it. Make one of them Super Admin first, or remove them.',
  toMembers: 'To the members of {name}',
  handOver: 'Before you go, somebody else has to become Super Admin of {name}.',
  handOverMany: 'Before you go, {count} organizations need another Super Admin.',
  act: 'Delete account',
  ask: 'Delete your account?',
  effect:
    'You are signed out everywhere, and on {date} your account is erased. Until then you can have it back.',
  reason: 'Why are you leaving?',
  reasonHint: 'It helps us do better.',
  password: 'Password',
} as const;
