import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { type Actor, can, rankOf } from '#contract/members/authority.ts';
import { type Role, roles } from '#contract/roles/calls.ts';
import { rolesText as text } from '#words/roles.ts';
import type { OrgId } from '#contract/wire.ts';
import { CallError } from '#web/lib/call.ts';
import { present } from '#web/lib/failures.ts';
import { roleOption, usualRoleId } from '#web/members/role-options.ts';
import { rolesQuery } from '#web/members/roles-query.ts';
import { useCall } from '#web/lib/use-call.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { LoadFailed } from '#web/ui/sections.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { holdersQuery, useRefreshRoles } from './use-roles.ts';

type Props = {
  orgId: OrgId;
  caller: Actor;
  role: Role;
  others: readonly Role[];
  onClose: () => void;
};

/** The dialog sends the holders that it showed, so the server moves nobody else. An admin role is never the default. */
export function DeleteRoleDialog({ orgId, caller, role, others, onClose }: Props) {
  const client = useQueryClient();
  const { data, isError, error, isFetching, refetch } = useQuery(holdersQuery(orgId, role.id));
  const options = others.map((other) => roleOption(other, whyNotReplaced(caller, other, role)));
  const [choice, setChoice] = useState(() => usualRoleId(others, options));
  const refreshRoles = useRefreshRoles(orgId);
  const lookAgain = (failure: CallError) => {
    present(failure);
    void refetch();
    void refreshRoles();
  };
  const { run, busy } = useCall(roles.remove, { changed_meanwhile: lookAgain, role_not_found: lookAgain });
  // Clear a choice that was deleted or locked meanwhile, instead of choosing another role.
  const chosenOption = options.find((option) => option.value === choice && !('disabled' in option));
  const replacement = chosenOption && others.find(({ id }) => String(id) === choice);

  const refetchRoles = useEffectEvent(() => {
    void client.invalidateQueries({ ...rolesQuery(orgId), exact: true });
  });
  useEffect(() => refetchRoles(), []);
  const notFound = error instanceof CallError && error.code === 'role_not_found' ? error : undefined;
  const leave = useEffectEvent((why: CallError) => {
    present(why);
    void refreshRoles();
    onClose();
  });
  useEffect(() => {
    if (notFound) leave(notFound);
  }, [notFound]);

  const remove = async () => {
    if (!data || !replacement) return;
    const input = { orgId, roleId: role.id, newRoleId: replacement.id, holders: data.holders };
    const reply = await run(input);
    if (!reply) return;
    await refreshRoles();
    onClose();
    const message =
      reply.moved === 0 ? text.removed : text.moved({ count: reply.moved, name: replacement.name });
    showAlert({ kind: 'success', text: message });
  };
  return (
    <FormDialog
      onClose={onClose}
      form={{ props: { onSubmit: () => void remove() }, busy }}
      title={text.removeTitle(role)}
      description={data ? wordsOf(data.members) : !isError && <Skeleton width="most" />}
      act={text.removeAct}
      kind="danger"
      disabled={!data || !replacement}
    >
      {isError && <LoadFailed busy={isFetching} onRetry={() => void refetch()} />}
      <SelectField
        label={data?.members === 0 ? text.replacementOfNobody : text.replacement}
        required
        value={chosenOption ? choice : ''}
        options={chosenOption ? options : [{ value: '', label: text.choose }, ...options]}
        onChange={({ target }) => setChoice(target.value)}
      />
    </FormDialog>
  );
}

const wordsOf = (count: number) => (count === 0 ? text.removeNobody : text.removeMany({ count }));

function whyNotReplaced(caller: Actor, by: Role, old: Role) {
  const act = {
    to: 'replaceRole',
    by: { rank: rankOf(by), isSystem: by.isSystem },
    old: { rank: rankOf(old) },
  } as const;
  return by.mayGive === false || can(caller, act) ? undefined : text.onlySuperAdminReplaces;
}
