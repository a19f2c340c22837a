import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { services } from '#contract/permissions.ts';
import { type Permission, roles } from '#contract/roles.ts';
import { rolesText as text } from '#contract/text/roles.ts';
import { fill } from '#contract/text.ts';
import type { OrgId } from '#contract/wire.ts';
import { useUnsaved } from '#web/lib/unsaved.ts';
import { useCall } from '#web/lib/use-call.ts';
import { showAlert } from '#web/ui/alert-store.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/sections.tsx';
import { countChanges, type Rights } from './permission-grid.ts';
import { PermissionTable } from './permission-table.tsx';
import { roleQuery, useGoneRole, type RoleWithRights } from './use-roles.ts';

type Props = { orgId: OrgId; role: RoleWithRights; locked: boolean };

/** What the role may do in the signature application, saved as a whole. */
export function PermissionCard({ orgId, role, locked }: Props) {
  const client = useQueryClient();
  const stored: Rights = role.rolePermission.sign;
  const [ticked, setTicked] = useState(stored);
  const { run, busy } = useCall(roles.update, { role_not_found: useGoneRole(orgId, role.roleId) });
  const changes = countChanges(stored, ticked);
  useUnsaved(changes > 0);
  const save = async () => {
    const sign = ticked as Permission['sign'];
    const saved = await run({ orgId, roleId: role.roleId, permission: { sign } });
    if (!saved || !('rolePermission' in saved) || !saved.rolePermission) return;
    const { rolePermission } = saved;
    client.setQueryData(
      roleQuery(orgId, role.roleId).queryKey,
      (before) => before && { ...before, rolePermission },
    );
    setTicked(rolePermission.sign);
    showAlert({ kind: 'success', text: text.saved });
  };
  return (
    <Card
      title={fill(text.permissions, { service: services.sign.label })}
      lead={text.permissionsHint}
      flush
      note={!locked && <output>{wordsOf(changes)}</output>}
      foot={
        !locked && (
          <>
            <Button kind="quiet" disabled={changes === 0 || busy} onClick={() => setTicked(stored)}>
              {text.discard}
            </Button>
            <Button kind="primary" busy={busy} disabled={changes === 0} onClick={() => void save()}>
              {text.saveChanges}
            </Button>
          </>
        )
      }
    >
      <PermissionTable service="sign" value={ticked} onChange={locked ? undefined : setTicked} />
    </Card>
  );
}

function wordsOf(changes: number) {
  if (changes === 0) return text.allSaved;
  return changes === 1 ? text.unsavedOne : fill(text.unsaved, { count: changes });
}
