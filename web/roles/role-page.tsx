import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Actor, can } from '#contract/members/authority.ts';
import type { Organization } from '#contract/organizations/calls.ts';
import { ADMIN, SUPER_ADMIN } from '#contract/roles/calls.ts';
import { rolesText as text } from '#contract/text/roles.ts';
import { uiText } from '#contract/text/ui.ts';
import type { RoleId } from '#contract/wire.ts';
import { CallError } from '#web/lib/call.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { whyNotLoaded } from '#web/ui/cause.ts';
import { Notice } from '#web/ui/notice.tsx';
import { Card, Notices, PageHeader } from '#web/ui/sections.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { PermissionCard } from './permission-card.tsx';
import { RenameCard } from './rename-card.tsx';
import { roleQuery } from './use-roles.ts';

type Props = { organization: Organization; caller: Actor; roleId: number | undefined };

export function RolePage({ organization, caller, roleId }: Props) {
  const query = useQuery(roleQuery(organization.id, roleId as RoleId));
  const role = query.data;
  const crumb = (
    <Link to="/$orgId/organization" params={{ orgId: organization.urlName }}>
      {text.organization}
    </Link>
  );
  if (query.error) {
    const isMissing = query.error instanceof CallError && query.error.code === 'role_not_found';
    return (
      <>
        <PageHeader
          title={isMissing ? text.gone : uiText.loadFailed}
          lead={isMissing ? text.goneHint : whyNotLoaded()}
          crumbs={crumb}
        />
        {isMissing && (
          <Link
            to="/$orgId/organization"
            params={{ orgId: organization.urlName }}
            className={buttonClass({ kind: 'primary' })}
          >
            {text.back}
          </Link>
        )}
        {!isMissing && <Button onClick={() => void query.refetch()}>{uiText.tryAgain}</Button>}
      </>
    );
  }
  if (!role) {
    return (
      <>
        <PageHeader title={text.title} crumbs={crumb} />
        <Card>
          <Skeleton shape="field" width="full" />
        </Card>
        <Card>
          <Skeleton shape="field" width="full" />
          <Skeleton shape="field" width="full" />
          <Skeleton shape="field" width="full" />
        </Card>
      </>
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
