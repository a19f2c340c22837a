export const applicationText = {
  sign: 'E-signature',
  seo: 'SEO tool',
  forms: 'Forms',
  surveys: 'Surveys',
  available: 'Available',
  upcoming: 'Upcoming',
  /** Released, but the operator has set no address. */
  notSetUp: 'Not available yet',
} as const;
