import { type CompanyConnection, companyConnections } from '#contract/company-sign-in/connections.ts';
import type { Organization } from '#contract/organizations/calls.ts';
import { companyConnectionsText as text } from '#words/company-connections.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { changedValues, useEditForm } from '#web/lib/edit-form.ts';
import { useCall } from '#web/lib/use-call.ts';
import { roleOption } from '#web/members/role-options.ts';
import { dayOf, startOf } from '#web/organizations/rule-days.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Confirm } from '#web/ui/confirm.tsx';
import { Optional, TextField } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { FieldGrid, FullRow } from '#web/ui/sections.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { confirmedAct, overtaken } from './parts.tsx';
import { useConnectionsChanged, useRoles } from './queries.ts';

export type ConnectionAct = 'edit' | 'switchOn' | 'switchOff' | 'remove';
type Props = {
  connection: CompanyConnection;
  /** How many links end if the connection is switched on or removed. */
  linksEnding: number;
  organization: Organization;
  onClose: () => void;
};

export const ConnectionDialog = ({ kind, ...props }: Props & { kind: ConnectionAct }) =>
  kind === 'edit' ? <EditDialog {...props} /> : <ActDialog {...props} kind={kind} />;

const useGone = ({ organization, onClose }: Props) => {
  const changed = useConnectionsChanged(organization.id);
  const gone = overtaken(changed, onClose);
  return { changed, claims: { connection_not_found: gone, changed_meanwhile: gone } };
};

function EditDialog(props: Props) {
  const { connection, organization, onClose } = props;
  const { id, isOn, secretEnds } = connection;
  const roles = useRoles(organization.id);
  const { changed, claims } = useGone(props);
  const initial = {
    issuer: connection.issuer,
    clientId: connection.clientId,
    secret: '',
    nextSecret: '',
    secretEnds: secretEnds ? dayOf(secretEnds) : '',
    declaresStep: connection.declaresStep ? '1' : '',
    roleId: connection.roleId === null ? '' : String(connection.roleId),
  };
  const isMoved = (values: typeof initial) =>
    values.issuer !== initial.issuer || values.clientId !== initial.clientId;
  const inputOf = (values: typeof initial) => ({
    ...values,
    secretEnds: values.secretEnds === '' ? null : startOf(values.secretEnds).toISOString(),
    declaresStep: values.declaresStep === '' ? 0 : 1,
    roleId: values.roleId === '' ? null : Number(values.roleId),
  });
  const form = useEditForm(companyConnections.change, {
    initial,
    toInput: (values) => ({
      orgId: organization.id,
      id,
      ...changedValues(inputOf(values), inputOf(initial)),
      // Another provider takes what this form shows, and nothing of the one before.
      ...(isMoved(values) && {
        secretEnds: inputOf(values).secretEnds,
        declaresStep: inputOf(values).declaresStep,
      }),
    }),
    beside: { role_not_found: 'roleId' },
    above: ['not_allowed', 'account_not_confirmed'],
    claims,
    onDone: async () => {
      await changed();
      onClose();
      showAlert({ kind: 'success', text: text.savedDone });
    },
  });
  const plain = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;
  const fixed = isOn && { readOnly: true, hint: text.draftToChange };
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      filled={form.isChanged}
      size="wide"
      title={text.editTitle}
      description={text.editLead}
      act={text.save}
    >
      <FieldGrid>
        <FullRow>
          <TextField
            label={text.issuer}
            hint={text.issuerHint}
            placeholder="https://login.acme.example"
            inputMode="url"
            {...plain}
            {...form.field('issuer')}
            {...fixed}
          />
        </FullRow>
        <TextField label={text.clientId} {...plain} {...form.field('clientId')} {...fixed} />
        <PasswordField
          label={text.secret}
          hint={connection.hasSecret ? text.keepSecret : undefined}
          {...form.field('secret')}
          autoComplete="off"
        />
        <TextField
          label={text.secretEnds}
          hint={text.secretEndsHint}
          aside={<Optional />}
          type="date"
          max="9999-12-31"
          {...form.field('secretEnds')}
        />
        {connection.hasSecret && (
          <PasswordField
            label={text.nextSecret}
            hint={text.nextSecretHint}
            aside={<Optional />}
            {...form.field('nextSecret')}
            autoComplete="off"
          />
        )}
        <FullRow>
          <SelectField
            label={text.newColleagues}
            hint={text.newColleaguesHint}
            {...form.field('roleId')}
            options={[{ value: '', label: text.membersOnly }, ...roles.map((role) => roleOption(role))]}
          />
        </FullRow>
        <FullRow>
          <Checkbox
            label={text.declaresStep}
            hint={text.declaresStepHint}
            checked={form.values.declaresStep !== ''}
            onChange={({ target }) => form.set('declaresStep', target.checked ? '1' : '')}
          />
        </FullRow>
      </FieldGrid>
    </FormDialog>
  );
}

function ActDialog(props: Props & { kind: Exclude<ConnectionAct, 'edit'> }) {
  const { connection, linksEnding, organization, kind, onClose } = props;
  const { id, issuer } = connection;
  const { changed, claims } = useGone(props);
  const switching = useCall(companyConnections.switchOn, claims);
  const removal = useCall(companyConnections.remove, claims);
  const named = { orgId: organization.id, id };
  const run = () =>
    kind === 'remove'
      ? removal.run({ ...named, issuer })
      : switching.run({ ...named, isOn: kind === 'switchOn' });
  const words = text.acts[kind];
  return (
    <Confirm
      onClose={onClose}
      title={words.title}
      act={words.act}
      destructive={kind !== 'switchOn'}
      onConfirm={confirmedAct(run, changed, words.done)}
    >
      <span>{words.effect({ organization: organization.name })}</span>
      {kind !== 'switchOff' && linksEnding > 0 && <p>{text.acts.linksEnd({ count: linksEnding })}</p>}
    </Confirm>
  );
}
