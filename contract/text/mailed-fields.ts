/** What a field for something mailed says when its rule is broken. */
export const mailedFieldText = {
  otp: 'Please enter the {count} digits of the code.',
} as const;
