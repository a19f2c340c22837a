import { type Member, members } from '#contract/members/calls.ts';
import { membersText as text } from '#words/members.ts';
import type { OrgId } from '#contract/wire.ts';
import { useCall } from '#web/lib/use-call.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { LinkButton } from '#web/ui/link-button.tsx';
import { memberName } from './guards.ts';
import { useMemberGone, useMembersChanged } from './member-queries.ts';

type Props = { orgId: OrgId; member: Member; onSent?: () => void };

export function ResendInvitation({ orgId, member, onSent }: Props) {
  const onGone = useMemberGone(orgId, () => onSent?.());
  // `not_allowed` includes a person who has joined meanwhile.
  const { run, busy } = useCall(members.resend, { user_not_found: onGone, not_allowed: onGone });
  const { updateRow } = useMembersChanged(orgId);
  const send = async () => {
    const renewed = await run({ orgId, userId: member.userId });
    if (!renewed) return;
    updateRow(renewed);
    onSent?.();
    showAlert({ kind: 'success', text: text.resent({ email: renewed.email ?? '' }) });
  };
  return (
    <LinkButton
      aria-label={text.resendTo({ name: memberName(member) })}
      aria-disabled={busy}
      onClick={() => void send()}
    >
      {text.resend}
    </LinkButton>
  );
}
