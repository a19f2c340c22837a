import type { Rank } from '#contract/members/authority.ts';
import { refuse, type Refusal } from '#contract/errors.ts';
import type { NoEntry } from '#contract/access/demands.ts';
import type { OrgId, RoleId, SessionId, UserId } from '#contract/wire.ts';
import type { Membership, Session } from '#contract/access/facts.ts';
import type { Tx } from '#server/db/connect.ts';

export type Caller = Session & {
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly email: string | null;
  readonly fullName: string;
  readonly confirmed: boolean;
};

export type Standing = Membership & { readonly roleId: RoleId; readonly rank: Rank };

declare const proven: unique symbol;
/** Only the gate makes one, so no query runs for an unproven organization. */
export type OrgScope = Standing & { readonly userId: UserId; readonly [proven]: true };

export type Lookups = {
  /** The caller of a session cookie, or null when the session has ended. Counts as use of the session. */
  findCaller(token: string): Promise<Caller | null>;
  /** The same for a page that names its person; the session of another person does not count as used. */
  findCallerNamed(token: string, person: string): Promise<Caller | Refusal<'signed_in_as_another'> | null>;
  /** Whether the caller's session is still valid: now, or locked until the end of a transaction. */
  standsNow(caller: Caller): Promise<boolean>;
  standsIn(tx: Tx, caller: Caller): Promise<boolean>;
  /** Whether the caller's last proof of identity is recent enough for sensitive calls. */
  isRecent(caller: Caller): Promise<boolean>;
  /** Whether the account is proven, or a company vouches for the whole of it. */
  servesAccount(caller: Caller): Promise<boolean>;
  countUpload(userId: UserId): Promise<Refusal<'too_many_requests'> | undefined>;
  /** Their active membership in the organization; without an id, in their default organization. */
  findStanding(userId: UserId, orgId: OrgId | undefined): Promise<Standing | null>;
  /** Why the session may not enter the organization now. */
  whyNoEntry(caller: Caller, standing: Standing): NoEntry | undefined;
};

/** Null if not a member, or no such organization. A default one that the session may not enter counts as none. */
export async function enter(
  lookups: Lookups,
  caller: Caller,
  orgId: OrgId | undefined,
): Promise<OrgScope | Refusal<NoEntry> | null> {
  const standing = await lookups.findStanding(caller.userId, orgId);
  const reason = standing && lookups.whyNoEntry(caller, standing);
  if (reason) return orgId === undefined ? null : refuse(reason);
  return standing && ({ ...standing, userId: caller.userId } as OrgScope);
}
