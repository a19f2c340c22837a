import { MEMBER_STATUS, type MemberStatus } from '#contract/members/calls.ts';
import type { TouchedOrganization } from '#contract/accounts/deletion.ts';

type Stake = {
  readonly kind: string;
  readonly status: MemberStatus;
  readonly hasOtherSuperAdmin: boolean;
  readonly hasOthers: boolean;
};

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
