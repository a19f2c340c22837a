import type { OrgId } from '#contract/wire.ts';
import type { CallError } from '#web/lib/call.ts';
import { present } from '#web/lib/failures.ts';
import { useMembersChanged } from './member-queries.ts';

/** Somebody else was quicker: the refusal is shown, the popup closes and the list is asked for again. */
export function useGone(orgId: OrgId, onClose: () => void) {
  const { refresh } = useMembersChanged(orgId);
  return (failure: CallError) => {
    present(failure);
    refresh();
    onClose();
  };
}
