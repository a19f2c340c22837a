import { type Member, members } from '#contract/members/calls.ts';
import type { Organization } from '#contract/organizations/calls.ts';
import type { Role } from '#contract/roles/calls.ts';
import { membersText as text } from '#words/members.ts';
import { useEditForm } from '#web/lib/edit-form.ts';
import type { CallError } from '#web/lib/call.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { type Guards, memberName } from './guards.ts';
import { formerValuesOf, useMemberGone, useMembersChanged } from './member-queries.ts';
import { RoleField } from './role-field.tsx';

type Props = {
  organization: Organization;
  roles: readonly Role[];
  member: Member;
  guards: Guards;
  /** The member has changed since this dialog opened. */
  onStale: (failure: CallError) => void;
  onClose: () => void;
};

export function AssignRoleDialog({ organization, roles, member, guards, onStale, onClose }: Props) {
  const { updateRow } = useMembersChanged(organization.id);
  const { firstName, role, userId } = member;
  const form = useEditForm(members.edit, {
    initial: { roleId: String(member.roleId) },
    toInput: ({ roleId }) => ({
      orgId: organization.id,
      userId,
      firstName,
      roleId: Number(roleId),
      ...formerValuesOf(member),
    }),
    claims: { user_not_found: useMemberGone(organization.id, onClose), changed_meanwhile: onStale },
    onDone: (saved) => {
      updateRow(saved);
      onClose();
      showAlert({ kind: 'success', text: text.updated });
    },
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      size="small"
      title={text.assignTitle}
      description={text.assignLead({ name: memberName(member), role, organization: organization.name })}
      act={text.assign}
    >
      <RoleField
        label={text.newRole}
        {...form.field('roleId')}
        roles={roles}
        member={member}
        disabled={guards.role !== undefined}
        hint={guards.role}
      />
    </FormDialog>
  );
}
