import { eachWord, members, type MemberWord } from '#contract/members/calls.ts';
import type { Organization } from '#contract/organizations/calls.ts';
import type { Role } from '#contract/roles/calls.ts';
import { fieldText } from '#words/field.ts';
import { spokenLanguage } from '#words/language.ts';
import { invitationText } from '#words/invitation.ts';
import { membersText as text } from '#words/members.ts';
import { useForm } from '#web/lib/form.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { addressInput, Optional, TextField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { FieldGrid, NameFields } from '#web/ui/sections.tsx';
import { InvitationLanguage } from './invitation-language.tsx';
import type { MemberFilter } from './member-filter.ts';
import { furtherWords, useMembersChanged } from './member-queries.ts';
import { RoleField, usualRole } from './role-field.tsx';

const optional = <Optional />;

type Props = {
  organization: Organization;
  roles: readonly Role[];
  filter: MemberFilter;
  /** The person's own address is not confirmed, so every invitation would be refused. */
  mustConfirm: boolean;
  onClose: () => void;
};

export function InviteDialog({ organization, roles, filter, mustConfirm, onClose }: Props) {
  const { addRows } = useMembersChanged(organization.id);
  // The default until one is picked, because the roles may load after the dialog opens.
  const usual = usualRole(roles);
  const form = useForm(members.invite, {
    initial: {
      ...eachWord(() => ''),
      email: '',
      roleId: '',
      language: organization.language ?? spokenLanguage.tag,
    },
    toInput: ({ roleId, language: chosen, ...person }) => ({
      ...person,
      language: chosen || undefined,
      orgId: organization.id,
      roleId: Number(roleId || usual) || undefined,
    }),
    rules: ({ roleId }) => (roleId || usual ? {} : { roleId: fieldText.required }),
    above: ['account_not_confirmed', 'too_many_requests'],
    onDone: (member) => {
      addRows([member], filter);
      onClose();
      showAlert({ kind: 'success', text: text.invited });
    },
  });
  const field = (name: MemberWord | 'email') => ({
    label: text[name],
    autoComplete: 'off',
    ...form.field(name),
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      filled={form.isChanged}
      title={text.inviteTitle}
      description={text.inviteLead({ organization: organization.name })}
      act={text.invite}
    >
      {mustConfirm && <Notice kind="warning">{invitationText.confirmFirst}</Notice>}
      <FieldGrid>
        <NameFields>
          <TextField {...field('firstName')} required />
          <TextField {...field('lastName')} aside={optional} />
        </NameFields>
        <TextField {...field('email')} {...addressInput} required wide />
        {furtherWords.map((word) => (
          <TextField key={word} {...field(word)} aside={optional} />
        ))}
        <RoleField
          label={text.role}
          {...form.field('roleId')}
          required
          roles={roles}
          value={form.values.roleId || usual}
        />
        <InvitationLanguage {...form.field('language')} />
      </FieldGrid>
    </FormDialog>
  );
}
