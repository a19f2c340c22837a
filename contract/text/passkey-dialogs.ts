export const passkeyDialogText = {
  addedTitle: 'Your passkey is ready',
  addedLead: 'Give it a name by which you recognize it later.',
  added: 'Passkey added',
  renameTitle: 'Rename this passkey',
  renameLead: 'Only you see the name.',
  name: 'Name',
  save: 'Save name',
  renamed: 'Passkey renamed',
  removeTitle: 'Remove {name}?',
  removeEffect:
    'It will no longer open your account. Delete it on your device or in your password manager too, so that you are not offered it again.',
  removeAct: 'Remove passkey',
  removed: 'Passkey removed',
} as const;
