export const mailedFieldText = {
  otp: 'Please enter the {count} digits of the code.',
} as const;
