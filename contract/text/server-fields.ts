/** What only the server can tell of a field, so that no page loads it. */
export const serverFieldText = {
  commonPassword: 'This password is on lists of common passwords. Please choose another.',
  guessablePassword: 'This password contains your name, your address or ours. Please choose another.',
  unknownField: 'This field is not known here.',
} as const;
