import { Link, useNavigate } from '@tanstack/react-router';
import type { Organization } from '#contract/organizations/calls.ts';
import { roles } from '#contract/roles/calls.ts';
import { rolesText as text } from '#words/roles.ts';
import { useForm } from '#web/lib/form.ts';
import { forgetUnsaved, useUnsaved } from '#web/lib/unsaved.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { TextField } from '#web/ui/field.tsx';
import { FormCard } from '#web/ui/form-card.tsx';
import { PageHeader } from '#web/ui/sections.tsx';
import { useRefreshRoles } from './use-roles.ts';

export function AddRolePage({ organization }: { organization: Organization }) {
  const navigate = useNavigate();
  const refreshRoles = useRefreshRoles(organization.id);
  const params = { orgId: organization.urlName };
  const form = useForm(roles.create, {
    initial: { roleName: '', isAdmin: '' },
    toInput: ({ roleName, isAdmin }) => ({
      orgId: organization.id,
      roleName,
      ...(isAdmin && { isAdmin: 1 }),
    }),
    beside: { role_already_exists: 'roleName' },
    onDone: async ({ id }) => {
      await refreshRoles();
      showAlert({ kind: 'success', text: text.added });
      forgetUnsaved();
      await navigate({
        to: '/$orgId/organization/role/$id',
        params: { ...params, id: String(id) },
        replace: true,
      });
    },
  });
  useUnsaved(form.isChanged);
  return (
    <>
      <PageHeader
        title={text.addTitle}
        lead={text.addLead}
        crumbs={
          <Link to="/$orgId/organization" params={params}>
            {text.organization}
          </Link>
        }
      />
      <FormCard form={form} act={text.create}>
        <TextField
          label={text.name}
          {...form.field('roleName')}
          name="role-name"
          autoComplete="off"
          required
        />
        <Checkbox
          label={text.isAdmin}
          hint={text.isAdminHint}
          checked={form.values.isAdmin !== ''}
          onChange={(event) => form.set('isAdmin', event.target.checked ? '1' : '')}
        />
      </FormCard>
    </>
  );
}
