import {
  CHALLENGE_MINUTES,
  CONFIRMATION_HOURS,
  EMAIL_CHANGE_HOURS,
  EMAIL_UNDO_DAYS,
  NOT_ME_DAYS,
  PRODUCT_NAME,
  RESET_MINUTES,
  RESTRICTION_HOURS,
  SECRET_OVERLAP_HOURS,
} from '#contract/limits.ts';

const signIn = 'Sign in';
const doNothing = 'If it was not you, do nothing.';
const resetAsked = `Somebody, hopefully you, asked for a new password for your ${PRODUCT_NAME} account.`;
const resetLink = `The link works once and for ${RESET_MINUTES} minutes. Choosing a new password signs you out everywhere.`;
const reset = {
  subject: 'Choose a new password',
  button: 'Choose a new password',
  footer: 'If it was not you, do nothing: your password stays as it is.',
} as const;
const changeOf = {
  button: 'Keep this address',
  footer: `If this was you, there is nothing to do. The link brings this address back, signs everybody out and lets you choose a new password; it works once, for ${EMAIL_UNDO_DAYS} days.`,
} as const;
const code = {
  subject: `{code} is your ${PRODUCT_NAME} code`,
  paragraphs: [`It works once and for ${CHALLENGE_MINUTES} minutes.`],
  footer:
    'If you did not ask for a code, somebody knows your password: sign in and change it. Never tell anybody this code.',
} as const;
const member =
  'You get this mail because you are a member of {organization}. Its admins decide who may do what there.';
const superAdmin =
  'You get this mail because you are a Super Admin of {organization}. If nobody should have done this, pause the application and talk to {person}.';
const untouched = 'Your account and your other organizations stay as they are.';
const invitationFrame = {
  subject: 'You are invited to {organization}',
  footer: 'If you do not know {inviter} or {organization}, do nothing: without you nobody joins.',
} as const;
const invites = `{inviter} invites you to join {organization} on ${PRODUCT_NAME} as {role}.`;
const invitationLink = 'The link works once and for {time}.';

/** The words of every mail. Security mails have no button and no footer here, because they share `notice`. */
export const mailText = {
  confirmAddress: {
    subject: 'Confirm your email address',
    paragraphs: [
      `Welcome to ${PRODUCT_NAME}. Please confirm that this address is yours: with it you get back in when you forget your password.`,
      `The link works once and for ${CONFIRMATION_HOURS} hours.`,
    ],
    button: 'Confirm my address',
    footer:
      'Somebody signed up at {host} with this address. If it was not you, do nothing: without the link the account stays unconfirmed.',
  },
  accountExists: {
    subject: 'You already have an account',
    paragraphs: [
      `Somebody tried to sign up at ${PRODUCT_NAME} with this address. You already have an account, so nothing was changed.`,
    ],
    button: signIn,
    footer: doNothing,
  },
  notice: {
    button: 'This wasn’t me',
    see: {
      newDevice: 'See where you are signed in',
      applications: 'See your connected applications',
      twoStep: 'See your ways to sign in',
    },
    footer: `If this was you, there is nothing to do. The link signs you out everywhere and lets you choose a new password; it works once, for ${NOT_ME_DAYS} days.`,
  },
  deactivated: {
    subject: 'Your account is deactivated',
    paragraphs: [
      `Somebody, hopefully you, asked to delete your ${PRODUCT_NAME} account. It is deactivated now: everybody is signed out, and nobody can sign in.`,
      'On {day} it is erased for good. Until then you can have it back as it was.',
    ],
    button: 'Restore my account',
    footer: 'If it was not you, restore your account, and then choose a new password.',
  },
  restored: {
    subject: 'Your account is back',
    paragraphs: [
      'Its deletion is cancelled: you can sign in again, and you are back in your organizations.',
      'Where an organization has no free seat any more, one of its admins can make room and let you in.',
    ],
  },
  sessionsEnded: {
    subject: 'You were signed out everywhere',
    paragraphs: [
      'The operator of this portal has ended all your sessions. Your password stays as it is: sign in again whenever you like.',
    ],
  },
  restricted: {
    subject: 'Your account is restricted',
    paragraphs: [
      'The operator of this portal has restricted your account until {moment} UTC. It is signed out everywhere, and until then nobody can sign in to it.',
    ],
  },
  lifted: {
    subject: 'Your account is open again',
    paragraphs: ['The restriction of your account was lifted. You can sign in again.'],
  },
  wrongCodes: {
    subject: 'Your account is restricted for a while',
    paragraphs: [
      `Ten codes in a row were wrong, each after your right password. To be safe nobody can sign in for ${RESTRICTION_HOURS} hours, unless you choose a new password before.`,
    ],
  },

  signInCode: { ...code, code: 'Your code to sign in is {code}.' },
  stepUpCode: { ...code, code: 'Your code to confirm it is you is {code}.' },
  twoStepOn: {
    subject: 'Two-step sign-in is on',
    paragraphs: [
      'From now on, signing in with your password needs a second step, such as a code that we mail to you.',
    ],
  },
  twoStepOff: {
    subject: 'Two-step sign-in is off',
    paragraphs: ['From now on your password alone opens your account.'],
  },
  connected: {
    subject: '{application} can now use your account',
    paragraphs: [
      '{application}, an application of another provider, may see: {access}.',
      'You can remove this access at any time in My Profile, under Connected applications.',
    ],
  },
  newDevice: {
    subject: 'New sign-in to your account',
    paragraphs: [
      'Somebody signed in to your account with a browser we have not seen before: {browser}, {moment} UTC.',
    ],
  },
  reset: { ...reset, paragraphs: [resetAsked, resetLink] },
  resetWithoutPassword: {
    ...reset,
    paragraphs: [
      resetAsked,
      'Your account has no password: you sign in with {providers}. You can go on like that, or choose a password with the link.',
      resetLink,
    ],
  },
  providers: '{one} or {other}',
  passwordReset: {
    subject: 'Your password was changed',
    paragraphs: ['The password of your account was changed, and everybody else was signed out.'],
  },
  passwordChanged: {
    subject: 'Your password was changed',
    paragraphs: [
      'The password of your account was changed on My Profile, and every other device was signed out.',
    ],
  },
  unlinked: {
    subject: '{provider} was disconnected from your account',
    paragraphs: ['From now on your {provider} account no longer opens your account here.'],
  },
  linked: {
    subject: '{provider} was linked to your account',
    paragraphs: ['From now on your {provider} account opens your account here, without the password.'],
  },

  newAddress: {
    subject: 'Confirm your new email address',
    paragraphs: [
      `Please confirm that this is to be the address of your ${PRODUCT_NAME} account. Until then the former one stays.`,
      `The link works once and for ${EMAIL_CHANGE_HOURS} hours. Only you can use it: it asks for your sign-in or your password.`,
    ],
    button: 'Confirm my new address',
    footer:
      'Somebody with an account at {host} typed this address. If it was not you, do nothing: nothing changes.',
  },
  addressTaken: {
    subject: 'Somebody tried to use your address',
    paragraphs: [
      `Somebody who is signed in at ${PRODUCT_NAME} wanted this address for their account. It is your account’s already, so nothing was changed.`,
      'If it was you: delete the other account or change its address first, one address opens one account.',
    ],
    button: signIn,
    footer: doNothing,
  },
  addressChanged: {
    ...changeOf,
    subject: 'Your email address was changed',
    paragraphs: [
      `The address of your ${PRODUCT_NAME} account is {email} from now on. You sign in with it, and mails go there.`,
    ],
  },
  addressChanges: {
    ...changeOf,
    subject: 'Your email address is about to change',
    paragraphs: [
      `Somebody, hopefully you, wants {email} to be the address of your ${PRODUCT_NAME} account. Until it is confirmed this one stays.`,
    ],
  },
  wayBack: {
    subject: 'Take your former address back?',
    paragraphs: [
      `Somebody wants this address back for the ${PRODUCT_NAME} account that had it before. It was invited or used by somebody else meanwhile, so only this new link does it.`,
      'Use it if that account is yours. The link works once.',
    ],
    button: 'Keep this address',
    footer: 'If you never had an account at {host} with this address, do nothing.',
  },
  setBack: {
    subject: 'Your email address was set back',
    paragraphs: [
      `The former address of your ${PRODUCT_NAME} account was taken back with the link mailed to it. This one no longer opens the account, and everybody was signed out.`,
    ],
    footer: 'If you did not expect this, ask whoever runs {host} for help.',
  },

  invitation: {
    ...invitationFrame,
    paragraphs: [`${invites} Choose a password, and you are in.`, invitationLink],
    button: 'Join',
  },
  invitationToAccount: {
    ...invitationFrame,
    paragraphs: [`${invites} Sign in with this address to join or decline.`, invitationLink],
    button: 'See the invitation',
  },
  oneDay: 'one day',
  days: '{days} days',
  declined: {
    subject: 'An invitation to {organization} was declined',
    paragraphs: ['{name} has declined your invitation to {organization}. The seat is free again.'],
    footer: 'You get this mail because you sent the invitation.',
  },
  urlNameReplaced: {
    subject: 'New address of {organization}',
    paragraphs: [
      `${PRODUCT_NAME} now uses the name {before} in its own addresses, so {organization} is called {after} there. Everything else stays. Old bookmarks no longer work, and an application may ask for the new name.`,
    ],
    button: 'Open {organization}',
    footer: 'You get this mail because you are a Super Admin of {organization}.',
  },
  applicationAdded: {
    subject: 'New application in {organization}: {application}',
    paragraphs: [
      '{person} added the application {application} to {organization}. Members can sign in to it with their account.',
    ],
    button: 'See the application',
    footer: superAdmin,
  },
  applicationMoved: {
    subject: 'New addresses of {application}',
    paragraphs: [
      '{person} changed the addresses of the application {application} of {organization}. Sign-ins and sign-outs go there from now on.',
    ],
    button: 'See the application',
    footer: superAdmin,
  },
  applicationSecret: {
    subject: 'New secret for {application}',
    paragraphs: [
      `{person} made a new secret for the application {application} of {organization}. The former secret stays valid for ${SECRET_OVERLAP_HOURS} hours.`,
    ],
    button: 'See the application',
    footer: superAdmin,
  },
  applicationRemoved: {
    subject: 'Application removed from {organization}: {application}',
    paragraphs: [
      '{person} removed the application {application} from {organization}. Nobody can sign in to it any more.',
    ],
    button: 'See applications',
    footer: superAdmin,
  },
  roleChanged: {
    subject: 'Your role in {organization} has changed',
    paragraphs: ['In {organization} you have the role {role} from now on.'],
    button: 'Open {organization}',
    footer: member,
  },
  accessAgain: {
    subject: 'You have access to {organization} again',
    paragraphs: ['{organization} is open to you again.'],
    button: 'Open {organization}',
    footer: member,
  },
  accessDisabled: {
    subject: 'Your access to {organization} was disabled',
    paragraphs: [`Your access to {organization} was disabled by one of its admins. ${untouched}`],
    footer: member,
  },
  accessPaused: {
    subject: 'Your access to {organization} is paused',
    paragraphs: [`Your access to {organization} is paused by one of its admins. ${untouched}`],
    footer: member,
  },
  removed: {
    subject: 'You are no longer a member of {organization}',
    paragraphs: [`One of the admins of {organization} has ended your membership. ${untouched}`],
    footer: 'If you think this is a mistake, please ask the admins of {organization}.',
  },
} as const;
