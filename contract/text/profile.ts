/** The words of My Profile. */
export const profileText = {
  title: 'My Profile',
  lead: 'How you appear across every application.',
  information: 'Profile information',
  informationHint: 'Your name and picture are shown to people in your organizations.',
  firstName: 'First name',
  lastName: 'Last name',
  designation: 'Designation',
  country: 'Country',
  timeZone: 'Time zone',
  chooseCountry: 'Choose a country',
  chooseTimeZone: 'Choose a time zone',
  otherZones: 'Other time zones',
  zoneLabel: '(UTC{offset}) {zone}',
  saveChanges: 'Save changes',
  saved: 'Profile updated',
  nothingPending: 'No new address waits to be confirmed.',
} as const;
