export const accessText = {
  openid: 'that it is you',
  profile: 'name, picture and time zone',
  email: 'email address',
  phone: 'phone number',
  organization: 'organization and role',
  offline_access: 'all of this while you are signed out',
} as const;
