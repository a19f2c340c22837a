/** What a field says when its rule is broken (specification section 5); those of the signed-in area are apart. */
export const fieldText = {
  required: 'This field is required.',
  tooLong: 'Please use at most {max} characters.',
  email: 'Please enter a valid email address.',
  passwordShort: 'Please use at least {min} characters.',
  passwordLong: 'Please use at most {max} characters.',
  passwordsDiffer: 'The two passwords are not the same.',
  samePassword: 'The new password must differ from the current one.',
  commonPassword: 'This password is on lists of common passwords. Please choose another.',
  guessablePassword: 'This password contains your name, your address or ours. Please choose another.',
  otp: 'Please enter the {count} digits of the code.',
  wrongType: 'This value has the wrong form.',
  unknownField: 'This field is not known here.',
} as const;
