/** The second step of a sign-in. */
export const secondStepText = {
  recoveryForm: 'A recovery code has 10 letters and digits, such as 4F7KM-2QX9A.',
} as const;
