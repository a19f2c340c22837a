import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { companyDirectory } from '#contract/company-sign-in/directory.ts';
import type { Organization } from '#contract/organizations/calls.ts';
import type { Role } from '#contract/roles/calls.ts';
import { companyDirectoryText as text } from '#words/company-directory.ts';
import { fieldText } from '#words/field.ts';
import { secretClosingText } from '#words/secret-closing.ts';
import { useForm } from '#web/lib/form.ts';
import { useCall } from '#web/lib/use-call.ts';
import { RoleField, usualRole } from '#web/members/role-field.tsx';
import { Confirm } from '#web/ui/confirm.tsx';
import { CopyField } from '#web/ui/copy-field.tsx';
import { Dialog, DialogDone } from '#web/ui/dialog.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { FieldGrid, FullRow } from '#web/ui/sections.tsx';
import { confirmedAct } from './parts.tsx';
import { directoryQuery, type DirectoryToken } from './queries.ts';

type Props = { organization: Organization; onClose: () => void };
type AddProps = Props & { roles: readonly Role[]; onMade: (token: string) => void };

export type DirectoryAct = 'add' | { made: string } | { revokes: DirectoryToken };

export function DirectoryDialog({
  shows,
  address,
  ...props
}: AddProps & { shows: DirectoryAct; address: string }) {
  if (shows === 'add') return <AddTokenDialog {...props} />;
  if ('made' in shows) return <TokenDialog address={address} token={shows.made} onClose={props.onClose} />;
  return <RevokeDialog {...props} token={shows.revokes} />;
}

function AddTokenDialog({ organization, roles, onMade, onClose }: AddProps) {
  const client = useQueryClient();
  const usual = usualRole(roles);
  const form = useForm(companyDirectory.addToken, {
    initial: { roleId: '' },
    toInput: ({ roleId }) => ({ orgId: organization.id, roleId: Number(roleId || usual) || undefined }),
    rules: ({ roleId }) => (roleId || usual ? {} : { roleId: fieldText.required }),
    beside: { role_not_found: 'roleId', not_allowed: 'roleId' },
    above: ['directory_token_limit_reached', 'account_not_confirmed'],
    onDone: async ({ token }) => {
      await client.invalidateQueries(directoryQuery(organization.id));
      onMade(token);
    },
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={text.addTitle}
      description={text.addLead({ organization: organization.name })}
      act={text.add}
    >
      <FieldGrid>
        <FullRow>
          <RoleField
            label={text.role}
            hint={text.roleHint}
            {...form.field('roleId')}
            required
            roles={roles}
            value={form.values.roleId || usual}
          />
        </FullRow>
      </FieldGrid>
    </FormDialog>
  );
}

/** Shows the token to copy. No other page shows it. */
function TokenDialog({
  address,
  token,
  onClose,
}: Pick<Props, 'onClose'> & { address: string; token: string }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <Dialog
      onClose={onClose}
      title={text.tokenTitle}
      description={text.tokenLead}
      unsaved={!isCopied}
      question={secretClosingText}
      footer={<DialogDone>{text.done}</DialogDone>}
    >
      <CopyField label={text.tokenLabel} value={token} onCopied={setCopied} />
      <CopyField label={text.address} value={address} />
    </Dialog>
  );
}

function RevokeDialog({ organization, token, onClose }: Props & { token: DirectoryToken }) {
  const client = useQueryClient();
  const refetch = () => client.invalidateQueries(directoryQuery(organization.id));
  const { run } = useCall(companyDirectory.removeToken, {
    not_found: () => {
      void refetch();
      onClose();
    },
  });
  return (
    <Confirm
      onClose={onClose}
      title={text.revokeTitle}
      act={text.revokeAct}
      destructive
      onConfirm={confirmedAct(() => run({ orgId: organization.id, id: token.id }), refetch, text.revoked)}
    >
      {text.revokeEffect({ organization: organization.name })}
    </Confirm>
  );
}
