/**
 * Messages of broken field rules (specification section 5). Those of codes, of the area and of the server
 * have their own files.
 */
export const fieldText = {
  required: 'This field is required.',
  tooLong: 'Please use at most {max} characters.',
  email: 'Please enter a valid email address.',
  passwordShort: 'Please use at least {min} characters.',
  passwordLong: 'Please use at most {max} characters.',
  wrongType: 'This value has the wrong form.',
} as const;
