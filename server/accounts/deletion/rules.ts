import { MEMBER_STATUS, type MemberStatus } from '#contract/members.ts';
import type { TouchedOrganization } from '#contract/accounts/deletion.ts';

type Stake = {
  readonly kind: string;
  readonly status: MemberStatus;
  /** Whether there is another active Super Admin, and whether there are other people at all. */
  readonly hasOtherSuperAdmin: boolean;
  readonly hasOthers: boolean;
};

/** The effect on an organization when one of its members deletes their account. */
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
