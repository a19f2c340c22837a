import { useId } from 'react';
import type { Caller } from '#contract/authority.ts';
import { type Member, members } from '#contract/members.ts';
import type { Organization } from '#contract/organizations.ts';
import type { Role } from '#contract/roles.ts';
import { membersText as text } from '#contract/text/members.ts';
import { uiText } from '#contract/text/ui.ts';
import { fill } from '#contract/text.ts';
import { useForm } from '#web/lib/form.ts';
import { showAlert } from '#web/ui/alert-store.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { nameOf } from './guards.ts';
import { useMembersChanged } from './member-queries.ts';
import { RoleField } from './role-field.tsx';
import { useGone } from './use-gone.ts';

type Props = {
  organization: Organization;
  caller: Caller;
  roles: readonly Role[];
  member: Member;
  onClose: () => void;
};

/** Gives a member another role, with one dropdown. */
export function AssignRoleDialog({ organization, caller, roles, member, onClose }: Props) {
  const formId = useId();
  const { changed } = useMembersChanged(organization.id);
  const { firstName, role, userId } = member;
  const form = useForm(members.edit, {
    initial: { roleId: String(member.roleId) },
    toInput: ({ roleId }) => ({ orgId: organization.id, userId, firstName, roleId: Number(roleId) }),
    claims: { user_not_found: useGone(organization.id, onClose) },
    onDone: (saved) => {
      changed(saved);
      onClose();
      showAlert({ kind: 'success', text: text.updated });
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      busy={form.busy}
      size="small"
      title={text.assignTitle}
      description={fill(text.assignLead, { name: nameOf(member), role, organization: organization.name })}
      footer={
        <>
          <Button onClick={onClose} disabled={form.busy}>
            {uiText.cancel}
          </Button>
          <Button kind="primary" type="submit" form={formId} busy={form.busy}>
            {text.assign}
          </Button>
        </>
      }
    >
      <form id={formId} {...form.props}>
        <RoleField
          label={text.newRole}
          name="roleId"
          roles={roles}
          caller={caller}
          member={member}
          value={form.values.roleId}
          error={form.messages['roleId']}
          onPick={(roleId) => form.set('roleId', roleId)}
        />
      </form>
    </Dialog>
  );
}
