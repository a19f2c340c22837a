import { MEMBER_STATUS, type MemberStatus } from '#contract/members.ts';
import type { TouchedOrganization } from '#contract/account-deletion.ts';

type Stake = {
  readonly kind: string;
  readonly status: MemberStatus;
  /** Whether another Super Admin is active, and whether anybody else is there at all. */
  readonly hasOtherSuperAdmin: boolean;
  readonly hasOthers: boolean;
};

/** What becomes of an organization when one of its members deletes their account. */
export function effectOn({
  kind,
  status,
  hasOtherSuperAdmin,
  hasOthers,
}: Stake): TouchedOrganization['effect'] {
  const isLast = kind === 'super-admin' && status === MEMBER_STATUS.active && !hasOtherSuperAdmin;
  if (!isLast) return 'leaves';
  return hasOthers ? 'blocks' : 'goes';
}
