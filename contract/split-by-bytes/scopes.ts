/** The rights that an application may ask for, as OpenID Connect spells them. */
export const SCOPES = ['openid', 'profile', 'email', 'phone', 'organization', 'offline_access'] as const;
export type Scope = (typeof SCOPES)[number];
