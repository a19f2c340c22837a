import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Actor, can } from '#contract/members/authority.ts';
import type { Organization } from '#contract/organizations/calls.ts';
import { ADMIN, SUPER_ADMIN } from '#contract/roles/calls.ts';
import { rolesText as text } from '#words/roles.ts';
import type { RoleId } from '#contract/wire.ts';
import { CallError } from '#web/lib/call.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { NotThere } from '#web/ui/not-there.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Notices, PageHeader } from '#web/ui/sections.tsx';
import { PermissionCard } from './permission-card.tsx';
import { RenameCard } from './rename-card.tsx';
import { roleQuery } from './use-roles.ts';

type Props = { organization: Organization; caller: Actor; id: number | undefined };

export function RolePage({ organization, caller, id }: Props) {
  const query = useQuery(roleQuery(organization.id, id as RoleId));
  const role = query.data;
  const crumb = (
    <Link to="/$orgId/organization" params={{ orgId: organization.urlName }}>
      {text.organization}
    </Link>
  );
  if (query.error || !role) {
    const isGone = query.error instanceof CallError && query.error.code === 'role_not_found';
    const back = (
      <Link
        to="/$orgId/organization"
        params={{ orgId: organization.urlName }}
        className={buttonClass({ kind: 'primary' })}
      >
        {text.back}
      </Link>
    );
    return (
      <NotThere
        title={text.title}
        crumbs={crumb}
        failed={query.isError}
        onRetry={() => void query.refetch()}
        gone={isGone && { title: text.gone, hint: text.goneHint, back }}
      />
    );
  }
  const isSystem = role.roleName === SUPER_ADMIN || role.roleName === ADMIN;
  const isOwn = role.roleName === organization.role;
  const isLocked = !can(caller, { to: 'changeRole', role: { isSystem, isOwn } });
  const hasLockedRights = Object.values(role.grantable.sign).some((moduleRights) =>
    Object.values(moduleRights).includes(false),
  );
  return (
    <>
      <PageHeader title={role.roleName} crumbs={crumb} />
      {isLocked && (
        <Notices>
          <Notice kind="info">{isSystem ? text.builtIn : text.own}</Notice>
        </Notices>
      )}
      {!isLocked && hasLockedRights && (
        <Notices>
          <Notice kind="info">{text.someLocked}</Notice>
        </Notices>
      )}
      {!isLocked && <RenameCard orgId={organization.id} role={role} />}
      <PermissionCard orgId={organization.id} role={role} locked={isLocked} />
    </>
  );
}
