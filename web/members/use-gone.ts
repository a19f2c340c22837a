import type { OrgId } from '#contract/wire.ts';
import type { CallError } from '#web/lib/call.ts';
import { present } from '#web/lib/failures.ts';
import { useMembersChanged } from './member-queries.ts';

/**
 * For a member whom somebody else has removed: shows the refusal, closes the popup and refetches the list.
 */
export function useGone(orgId: OrgId, onClose: () => void) {
  const { refresh } = useMembersChanged(orgId);
  return (failure: CallError) => {
    present(failure);
    refresh();
    onClose();
  };
}
