export const newPasswordText = {
  password: 'New password',
  repeat: 'Repeat password',
  differ: 'The two passwords are not the same.',
  long: 'At least {min} characters, such as a few words',
  notOurs: 'Not just “{product}”',
  notYours: 'Not just your address or “{product}”',
  met: '(done)',
} as const;
