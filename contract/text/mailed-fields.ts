/** Error messages for values that we mail, such as a code. */
export const mailedFieldText = {
  otp: 'Please enter the {count} digits of the code.',
} as const;
