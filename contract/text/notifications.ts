/** The text of each notification. The server fills in the names. */
export const notifiedText = {
  invitation: '{inviter} invited you to join {organization} as {role}.',
  joined: '{name} accepted your invitation to {organization}.',
  declined: '{name} declined your invitation to {organization}.',
  roleChanged: 'Your role in {organization} is now {role}.',
  newDevice: 'New sign-in to your account with {browser}, from {place}.',
  newDeviceSomewhere: 'New sign-in to your account with {browser}.',
  someWayInChanged: 'How you sign in to your account was changed.',
  wayInChanged: {
    passkeyAdded: 'A passkey was added to your account.',
    passkeyRemoved: 'A passkey was removed from your account.',
    passkeyMayBeCopied: 'One of your passkeys may have been copied.',
    authenticatorAdded: 'An authenticator app was added to your account.',
    authenticatorRemoved: 'The authenticator app was removed from your account.',
    recoveryCodesRenewed: 'Your account has new recovery codes.',
    recoveryCodeUsed: 'A recovery code was used to sign in to your account.',
    lastRecoveryCodeUsed: 'Your last recovery code was used. Make new ones.',
    weakRecoveryCodesEnded:
      'Your recovery codes ended, because your passkey is stronger than they were. Make new ones.',
    recoveryCodesEnded: 'Your recovery codes ended, because a backup was restored. Make new ones.',
    secondStepsReset: 'The operator removed your second steps.',
  },
  secondStepAsked: '{organization} requires a second step at sign-in.',
  addressToConfirm: 'Please confirm that {email} is your address. We mailed you a link.',
  deletionScheduled: 'You asked us to delete your account, and restored it since.',
} as const;

export const notificationText = {
  title: 'Notifications',
  empty: 'Nothing new',
  emptyHint: 'Invitations, changes of your role and new sign-ins will show here.',
  unread: 'New',
  answer: 'Join or decline',
  older: 'Show older',
  loading: 'Loading notifications',
  nowRead: '{count} new, now read',
} as const;
