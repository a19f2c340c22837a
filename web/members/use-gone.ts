import type { OrgId } from '#contract/wire.ts';
import { present } from '#web/lib/failures.ts';
import type { Claims } from '#web/lib/use-call.ts';
import { useMembersChanged } from './member-queries.ts';

/** Somebody else has removed the member meanwhile: it is said, the popup closes and the list is asked for again. */
export function useGone(orgId: OrgId, onClose: () => void): Claims {
  const { refresh } = useMembersChanged(orgId);
  return {
    user_not_found: (failure) => {
      present(failure);
      refresh();
      onClose();
    },
  };
}
