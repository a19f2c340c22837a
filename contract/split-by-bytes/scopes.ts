export const SCOPES = ['openid', 'profile', 'email', 'phone', 'organization', 'offline_access'] as const;
export type Scope = (typeof SCOPES)[number];
