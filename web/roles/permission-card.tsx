import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { services } from '#contract/roles/permissions.ts';
import { type Permission, roles } from '#contract/roles/calls.ts';
import { rolesText as text } from '#words/roles.ts';
import type { OrgId } from '#contract/wire.ts';
import { present } from '#web/lib/failures.ts';
import { warnNoChanges } from '#web/lib/edit-form.ts';
import { useUnsaved } from '#web/lib/unsaved.ts';
import { useCall } from '#web/lib/use-call.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/sections.tsx';
import { mergeChanges, countChanges, type Rights } from './permission-grid.ts';
import { PermissionTable } from './permission-table.tsx';
import { roleQuery, useGoneRole, type RoleWithRights } from './use-roles.ts';

type Props = { orgId: OrgId; role: RoleWithRights; locked: boolean };

export function PermissionCard({ orgId, role, locked }: Props) {
  const client = useQueryClient();
  const storedRights: Rights = role.rolePermission.sign;
  const may: Rights = role.grantable.sign;
  const [ticked, setTicked] = useState(storedRights);
  const [baseline, setBaseline] = useState(storedRights);
  // Another admin saved first. Apply the local changes to the stored rights.
  if (countChanges(baseline, storedRights) > 0) {
    setBaseline(storedRights);
    setTicked(mergeChanges(baseline, ticked, storedRights));
  }
  const { run, busy } = useCall(roles.update, {
    role_not_found: useGoneRole(orgId, role.roleId),
    changed_meanwhile: (failure) => {
      present(failure);
      void client.invalidateQueries(roleQuery(orgId, role.roleId));
    },
  });
  const changes = countChanges(storedRights, ticked);
  useUnsaved(changes > 0);
  const save = async () => {
    if (changes === 0) {
      warnNoChanges();
      return;
    }
    const sign = ticked as Permission['sign'];
    const reply = await run({
      orgId,
      roleId: role.roleId,
      permission: { sign },
      wasPermission: role.rolePermission,
    });
    if (!reply || !('rolePermission' in reply) || !reply.rolePermission) return;
    const { rolePermission } = reply;
    client.setQueryData(
      roleQuery(orgId, role.roleId).queryKey,
      (before) => before && { ...before, rolePermission },
    );
    setTicked(rolePermission.sign);
    showAlert({ kind: 'success', text: text.saved });
  };
  return (
    <Card
      title={text.permissions({ service: services.sign.label })}
      lead={text.permissionsHint}
      flush
      note={!locked && <output>{wordsOf(changes)}</output>}
      foot={
        !locked && (
          <>
            <Button kind="quiet" disabled={changes === 0 || busy} onClick={() => setTicked(storedRights)}>
              {text.discard}
            </Button>
            <Button kind="primary" busy={busy} onClick={() => void save()}>
              {text.saveChanges}
            </Button>
          </>
        )
      }
    >
      <PermissionTable service="sign" value={ticked} may={may} onChange={locked ? undefined : setTicked} />
    </Card>
  );
}

const wordsOf = (count: number) => (count === 0 ? text.allSaved : text.unsaved({ count }));
