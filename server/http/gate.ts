import type { Rank } from '#contract/authority.ts';
import type { Refusal } from '#contract/errors.ts';
import type { OrgId, RoleId, SessionId, UserId } from '#contract/wire.ts';

/** Who calls, as their session says; authority never comes from the request. */
export type Caller = {
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly email: string | null;
  readonly fullName: string;
  readonly confirmed: boolean;
  /** The last proof of identity in this session. */
  readonly authenticatedAt: Date;
};

/** A caller's active membership as it is now. */
export type Standing = {
  readonly orgId: OrgId;
  readonly roleId: RoleId;
  readonly rank: Rank;
};

declare const proven: unique symbol;
/** An organization the caller was proven to belong to; only the gate makes one, so no query runs for an unproven tenant. */
export type OrgScope = Standing & { readonly userId: UserId; readonly [proven]: true };

/** The look-ups the gate needs of features, passed in when the app is composed. */
export type Lookups = {
  /** The caller of a session cookie, or null when the session ended; counts as activity. */
  findCaller(token: string): Promise<Caller | null>;
  /** Whether the caller's proof of identity is young enough for sensitive acts. */
  isRecent(caller: Caller): boolean;
  /** Counts an upload of a person; refuses when they had their share. */
  countUpload(userId: UserId): Promise<Refusal<'too_many_requests'> | undefined>;
  /** The caller's active membership in the organization; without an id, in their default one. */
  findStanding(userId: UserId, orgId: OrgId | undefined): Promise<Standing | null>;
};

/** Proves that the caller is an active member; null when they are not, whether or not the organization exists. */
export async function enter(
  lookups: Lookups,
  caller: Caller,
  orgId: OrgId | undefined,
): Promise<OrgScope | null> {
  const standing = await lookups.findStanding(caller.userId, orgId);
  return standing && ({ ...standing, userId: caller.userId } as OrgScope);
}
