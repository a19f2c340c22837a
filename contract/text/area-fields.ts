/** Messages of broken field rules in the signed-in area (specification section 5). */
export const areaFieldText = {
  generalText: 'Please leave out " < > and \'.',
  hidden: 'Please leave out line breaks and characters that can’t be seen.',
  phone: 'Please use digits, spaces, + and - only.',
  organizationWords: 'Please use letters, digits and single spaces only.',
  lettersOnly: 'Please use letters only.',
  applicationNameLong: 'Please use at most {max} letters.',
  employeeCountDigits: 'Please enter a whole number.',
  employeeCountZero: 'Please enter a number greater than 0.',
  employeeCountMax: 'Please enter at most {max}.',
  website: 'Please enter a web address, such as https://example.com.',
  otherRole: 'Please choose another role.',
  country: 'Please choose a country from the list.',
  timeZone: 'Please choose a time zone from the list.',
} as const;
