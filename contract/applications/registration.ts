import * as z from 'zod/mini';

const id = <B extends string>() => z.int().check(z.minimum(1)).brand<B>();
export const applicationId = id<'ApplicationId'>();
export const grantId = id<'GrantId'>();
export type ApplicationId = z.output<typeof applicationId>;
export type GrantId = z.output<typeof grantId>;

/** A server with pages, a program in the browser, an installed program, and a server without people. */
export const APPLICATION_KINDS = ['web', 'single-page', 'native', 'server'] as const;
export type ApplicationKind = (typeof APPLICATION_KINDS)[number];

/** The rights that an application may ask for, as OpenID Connect spells them. */
export const SCOPES = ['openid', 'profile', 'email', 'phone', 'organization', 'offline_access'] as const;
export type Scope = (typeof SCOPES)[number];
