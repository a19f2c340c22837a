export const passkeyText = {
  unnamed: 'Passkey',
  noHostName: 'Passkeys need a host name. Open the portal by its name, not by its IP address.',

  emptyHint: 'Nobody can guess, phish or reuse a passkey, and you have nothing to remember.',
  kinds: {
    synced: 'On all your devices',
    device: 'On one device',
    'security-key': 'Security key',
  },
  used: 'Added {added}, last used {used}',
  unused: 'Added {added}, not used yet',
  list: 'Your passkeys',
  add: 'Add a passkey',
  full: 'You have {count} passkeys, the maximum. Remove one to add another.',
  rename: 'Rename {name}',
  renameAct: 'Rename',
  remove: 'Remove {name}',
  removeAct: 'Remove',
  locks: {
    last_way_in: 'Your last way to sign in. Add another one to remove it.',
    second_step_needed: '{organization} requires it. Add another one to remove it.',
  },
} as const;
