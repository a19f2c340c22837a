/** Messages of field rules that only the server can check, so no page loads them. */
export const serverFieldText = {
  commonPassword: 'This password is on lists of common passwords. Please choose another.',
  repeatedPassword: 'This password repeats one or two characters. Please choose another.',
  guessablePassword: 'This password contains your name, your address or ours. Please choose another.',
  holders: 'People would become admins. Please send the mark of who they are, as GET /role answers it.',
  unknownField: 'This field is not known here.',
} as const;
