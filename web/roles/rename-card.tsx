import { useQueryClient } from '@tanstack/react-query';
import { roles } from '#contract/roles/calls.ts';
import { rolesText as text } from '#words/roles.ts';
import type { OrgId } from '#contract/wire.ts';
import { useCardForm } from '#web/lib/edit-form.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Card } from '#web/ui/sections.tsx';
import styles from './rename-card.module.css';
import { roleQuery, type RoleWithRights, useGoneRole, useRefreshRoles } from './use-roles.ts';

const storedOf = ({ roleName }: { roleName: string }) => ({ roleName: roleName.normalize('NFC').trim() });

export function RenameCard({ orgId, role }: { orgId: OrgId; role: RoleWithRights }) {
  const client = useQueryClient();
  const refreshRoles = useRefreshRoles(orgId);
  const form = useCardForm(roles.update, {
    initial: { roleName: role.roleName },
    toInput: ({ roleName }) => ({ orgId, roleId: role.roleId, roleName }),
    claims: { role_not_found: useGoneRole(orgId, role.roleId) },
    beside: { role_already_exists: 'roleName' },
    stored: (_, typed) => storedOf(typed),
    onDone: async (_, typed) => {
      client.setQueryData(
        roleQuery(orgId, role.roleId).queryKey,
        (before) => before && { ...before, ...storedOf(typed) },
      );
      await refreshRoles();
      showAlert({ kind: 'success', text: text.renamed });
    },
  });
  return (
    <form {...form.props}>
      <Card>
        <div className={styles.row}>
          <TextField
            label={text.name}
            {...form.field('roleName')}
            name="role-name"
            autoComplete="off"
            required
          />
          <Button type="submit" busy={form.busy}>
            {text.rename}
          </Button>
        </div>
      </Card>
    </form>
  );
}
