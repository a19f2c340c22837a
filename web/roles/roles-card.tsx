import { useQuery } from '@tanstack/react-query';
import { createLink } from '@tanstack/react-router';
import { Pencil, Plus, Shield, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { type Actor, can } from '#contract/members/authority.ts';
import { product } from '#contract/product.ts';
import type { Organization } from '#contract/organizations/calls.ts';
import type { Role } from '#contract/roles/calls.ts';
import { rolesText as text } from '#words/roles.ts';
import type { User } from '#contract/profile/user.ts';
import { dayIn } from '#contract/dates.ts';
import { rolesQuery } from '#web/members/roles-query.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { latePopup } from '#web/ui/late.tsx';
import { Card } from '#web/ui/sections.tsx';
import { type Column, NameCell, Table } from '#web/ui/table.tsx';

const ButtonLink = createLink(Button);
const PageLink = createLink(IconButton);
const DeleteDialog = latePopup(async () => (await import('./delete-role-dialog.tsx')).DeleteRoleDialog);

type Props = { organization: Organization; user: User; caller: Actor };

export function RolesCard({ organization, user, caller }: Props) {
  const { data, isError, refetch } = useQuery(rolesQuery(organization.id));
  const [pickedRole, setPickedRole] = useState<Role>();
  // The latest version, because it may have been renamed.
  const roleToDelete = data?.find(({ id }) => id === pickedRole?.id) ?? pickedRole;
  const mayDelete = ({ isSystem, name }: Role) =>
    can(caller, { to: 'changeRole', role: { isSystem, isOwn: name === organization.role } });
  const params = { orgId: organization.urlName };
  const add = (
    <ButtonLink to="/$orgId/organization/role" params={params} icon={<Plus />}>
      {text.add}
    </ButtonLink>
  );
  return (
    <Card title={text.title} lead={text.lead} actions={add} flush>
      <Table
        caption={text.title}
        columns={columnsOf(params, dayIn(user.timeZone), mayDelete, setPickedRole)}
        rows={data}
        rowKey={({ id }) => id}
        skeletonRows={3}
        empty={{ title: text.title, icon: <Shield /> }}
        error={isError}
        onRetry={() => void refetch()}
      />
      {roleToDelete && data && (
        <DeleteDialog
          orgId={organization.id}
          role={roleToDelete}
          caller={caller}
          others={data.filter(({ id }) => id !== roleToDelete.id)}
          onClose={() => setPickedRole(undefined)}
        />
      )}
    </Card>
  );
}

function columnsOf(
  params: { orgId: string },
  day: (time: Date) => string,
  mayDelete: (role: Role) => boolean,
  onDelete: (role: Role) => void,
): Column<Role>[] {
  return [
    {
      key: 'name',
      head: text.name,
      role: 'title',
      width: '34%',
      cell: (role) => <NameCell name={role.name} sub={!role.isSystem && role.isAdmin && text.adminMark} />,
    },
    {
      key: 'by',
      head: text.createdBy,
      cell: ({ isSystem, createdBy }) => (isSystem ? product.name : createdBy),
    },
    { key: 'time', head: text.createdTime, cell: ({ createdTime }) => day(createdTime) },
    { key: 'members', head: text.members, width: '100', cell: ({ members }) => members },
    {
      key: 'acts',
      head: text.actions,
      width: '110',
      role: 'actions',
      cell: (role) =>
        role.isSystem ? (
          <>
            <Locked why={text.builtInEdit(role)} icon={<Pencil />} />
            <Locked why={text.builtInRemove(role)} icon={<Trash2 />} />
          </>
        ) : (
          <>
            <PageLink
              to="/$orgId/organization/role/$id"
              params={{ ...params, id: String(role.id) }}
              name={text.edit(role)}
              icon={<Pencil />}
            />
            {mayDelete(role) ? (
              <IconButton name={text.remove(role)} icon={<Trash2 />} onClick={() => onDelete(role)} />
            ) : (
              <Locked why={text.ownRemove(role)} icon={<Trash2 />} />
            )}
          </>
        ),
    },
  ];
}

/** A locked act. On touch, which has no tooltips, a press shows the reason. */
const Locked = ({ why, icon }: { why: string; icon: ReactNode }) => (
  <IconButton name={why} icon={icon} aria-disabled onClick={() => showAlert({ kind: 'info', text: why })} />
);
