import { useState } from 'react';
import { type Role, roles } from '#contract/roles.ts';
import { rolesText as text } from '#contract/text/roles.ts';
import { uiText } from '#contract/text/ui.ts';
import { fill } from '#contract/text.ts';
import type { OrgId } from '#contract/wire.ts';
import { useCall } from '#web/lib/use-call.ts';
import { showAlert } from '#web/ui/alert-store.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { useRolesChanged } from './use-roles.ts';

type Props = {
  orgId: OrgId;
  role: Role;
  /** The roles that may take its place. */
  others: readonly Role[];
  onClose: () => void;
};

/** Deletes a role; whoever holds it takes the one chosen here, at first the first that grants no admin rights. */
export function DeleteRoleDialog({ orgId, role, others, onClose }: Props) {
  const [chosen, setChosen] = useState(others.find((other) => !other.isAdmin));
  const { run, busy } = useCall(roles.remove);
  const changed = useRolesChanged(orgId);
  const held = role.members > 0;
  const replacement = chosen ?? (held ? undefined : others[0]);
  const remove = async () => {
    if (!replacement) return;
    const done = await run({ orgId, roleId: role.id, newRoleId: replacement.id });
    if (!done) return;
    await changed();
    onClose();
    const said =
      done.moved === 0 ? text.removed : fill(text.moved, { count: done.moved, name: replacement.name });
    showAlert({ kind: 'success', text: said });
  };
  const effect = held
    ? role.members === 1
      ? text.removeOne
      : fill(text.removeMany, { count: role.members })
    : text.removeNobody;
  return (
    <Dialog
      open
      onClose={onClose}
      busy={busy}
      title={fill(text.removeTitle, role)}
      description={effect}
      onSubmit={() => void remove()}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            {uiText.cancel}
          </Button>
          <Button kind="danger" type="submit" busy={busy} disabled={!replacement}>
            {text.removeAct}
          </Button>
        </>
      }
    >
      {held && (
        <SelectField
          label={text.replacement}
          value={chosen?.id ?? ''}
          options={[
            ...(chosen ? [] : [{ value: '', label: text.choose }]),
            ...others.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
          onChange={({ target }) => setChosen(others.find(({ id }) => String(id) === target.value))}
        />
      )}
    </Dialog>
  );
}
