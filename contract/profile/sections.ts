/** The sections of My Profile. Links open them: `/northwind/myprofile#ways-in`. */
export const profileSections = {
  profile: 'profile',
  contact: 'contact',
  password: 'password',
  waysIn: 'ways-in',
  applications: 'applications',
  data: 'data',
} as const;
