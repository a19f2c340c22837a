import type { Actor } from '#contract/members/authority.ts';
import { eachWord, type Member, MEMBER_STATUS, members, type MemberWord } from '#contract/members/calls.ts';
import type { Organization } from '#contract/organizations/calls.ts';
import type { Role } from '#contract/roles/calls.ts';
import { membersText as text } from '#words/members.ts';
import { useEditForm } from '#web/lib/edit-form.ts';
import type { CallError } from '#web/lib/call.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { Optional, TextField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { FieldGrid, NameFields } from '#web/ui/sections.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { type Guards, memberName } from './guards.ts';
import { formerValuesOf, furtherWords, useMemberGone, useMembersChanged } from './member-queries.ts';
import { ResendInvitation } from './resend-invitation.tsx';
import { RoleField } from './role-field.tsx';

const { active, inactive, disabled } = MEMBER_STATUS;
const settable = [active, inactive, disabled];
type Settable = (typeof settable)[number];

type Props = {
  organization: Organization;
  caller: Actor;
  roles: readonly Role[];
  member: Member;
  guards: Guards;
  day: (time: Date) => string;
  now: Date;
  /** The member has changed since this dialog opened. */
  onStale: (failure: CallError) => void;
  onClose: () => void;
};

export function EditMemberDialog(props: Props) {
  const { organization, caller, roles, member, guards, onStale, onClose } = props;
  const { updateRow } = useMembersChanged(organization.id);
  const name = memberName(member);
  const isInvited = member.status === MEMBER_STATUS.invited;
  const form = useEditForm(members.edit, {
    initial: {
      ...eachWord((word) => member[word]),
      roleId: String(member.roleId),
      status: String(member.status),
    },
    toInput: ({ roleId, status, ...words }) => ({
      ...words,
      orgId: organization.id,
      userId: member.userId,
      roleId: Number(roleId),
      status: isInvited ? undefined : Number(status),
      ...formerValuesOf(member),
    }),
    claims: { user_not_found: useMemberGone(organization.id, onClose), changed_meanwhile: onStale },
    onDone: (saved) => {
      updateRow(saved);
      onClose();
      showAlert({ kind: 'success', text: text.updated });
    },
  });
  const optional = !guards.names && <Optional />;
  const field = (key: MemberWord) => ({
    label: text[key],
    autoComplete: 'off',
    readOnly: guards.names !== undefined,
    ...form.field(key),
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      filled={form.isChanged}
      title={text.editTitle({ name })}
      description={
        member.userId === caller.userId
          ? text.editOwnLead({ organization: organization.name })
          : text.editLead({ name, organization: organization.name })
      }
      act={text.save}
    >
      {isInvited && <InvitationNotice {...props} />}
      {guards.names && <Notice kind="info">{guards.names}</Notice>}
      <FieldGrid>
        <NameFields>
          <TextField {...field('firstName')} required />
          <TextField {...field('lastName')} aside={optional} />
        </NameFields>
        <TextField label={text.email} value={member.email ?? ''} readOnly hint={text.emailFixed} wide />
        {furtherWords.map((word) => (
          <TextField key={word} {...field(word)} aside={optional} wide />
        ))}
        <RoleField
          label={text.role}
          {...form.field('roleId')}
          roles={roles}
          member={member}
          disabled={guards.role !== undefined}
          hint={guards.role}
          wide
        />
        {!isInvited && (
          <SelectField
            label={text.status}
            {...form.field('status')}
            disabled={guards.status !== undefined}
            hint={guards.status ?? text.statusHints[Number(form.values.status) as Settable]}
            options={settable.map((status) => ({ value: String(status), label: text.statuses[status] }))}
            wide
          />
        )}
      </FieldGrid>
    </FormDialog>
  );
}

function InvitationNotice({ organization, member, day, now, onClose }: Props) {
  const { invitationExpires: expires } = member;
  const isValid = !expires || expires > now;
  return (
    <Notice
      kind={isValid ? 'info' : 'warning'}
      action={<ResendInvitation orgId={organization.id} member={member} onSent={onClose} />}
    >
      {!expires ? text.waitsOpen : isValid ? text.waits({ day: day(expires) }) : text.ranOut}
    </Notice>
  );
}
