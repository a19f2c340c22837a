/** The suite's applications, and how far each is: on the home page and on My Apps. */
export const applicationText = {
  sign: 'E-signature',
  seo: 'SEO tool',
  forms: 'Forms',
  surveys: 'Surveys',
  available: 'Available',
  upcoming: 'Upcoming',
  /** Built, but the operator has set no address for it. */
  notSetUp: 'Not available yet',
} as const;
