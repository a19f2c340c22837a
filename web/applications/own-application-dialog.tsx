import { useQuery } from '@tanstack/react-query';
import { type OwnApplication, ownApplications } from '#contract/applications/own.ts';
import { addressProblems, APPLICATION_KINDS } from '#contract/applications/registration.ts';
import { ownApplicationsText as text } from '#contract/text/own-applications.ts';
import { fill } from '#contract/text.ts';
import type { OrgId } from '#contract/wire.ts';
import { changedValues, useEditForm } from '#web/lib/edit-form.ts';
import { useForm } from '#web/lib/form.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { rolesQuery } from '#web/members/roles-query.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { Optional, TextField } from '#web/ui/field.tsx';
import { RefusalNotice } from '#web/ui/refusal-notice.tsx';
import { FieldGrid, FullRow } from '#web/ui/sections.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { TextAreaField } from '#web/ui/text-area-field.tsx';
import { useOwnChanged } from './own-query.ts';

const EVERYONE = 'everyone';
const CHOSEN = 'chosen';
const optional = <Optional />;

/** The values of the form. A list of addresses is one text, an address per line. */
const valuesOf = (application?: OwnApplication) => ({
  name: application?.name ?? '',
  kind: application?.kind ?? 'web',
  description: application?.description ?? '',
  startUrl: application?.startUrl ?? '',
  redirectUrls: application?.redirectUrls.join('\n') ?? '',
  signedOutUrls: application?.signedOutUrls.join('\n') ?? '',
  signOutUrl: application?.signOutUrl ?? '',
  access: application?.isForEveryone === false ? CHOSEN : EVERYONE,
  roleIds: application?.roleIds.join(' ') ?? '',
  removesIcon: '',
});
type Values = ReturnType<typeof valuesOf>;

const linesOf = (typed: string) => typed.split('\n').flatMap((line) => line.trim() || []);
const idsOf = (roleIds: string) => roleIds.split(' ').filter(Boolean).map(Number);

const inputOf = ({
  access,
  redirectUrls,
  signedOutUrls,
  roleIds,
  kind: _kind,
  removesIcon: _removesIcon,
  ...words
}: Values) => ({
  ...words,
  redirectUrls: linesOf(redirectUrls),
  signedOutUrls: linesOf(signedOutUrls),
  isForEveryone: access === EVERYONE ? 1 : 0,
  roleIds: access === EVERYONE ? [] : idsOf(roleIds),
});

const rules = (values: Values) => addressProblems({ ...inputOf(values), kind: values.kind });

type Secret = (application: OwnApplication, secret: string | null) => void;
type Props = {
  orgId: OrgId;
  /** The application to edit. Without one the dialog adds one. */
  application?: OwnApplication;
  onSecret: Secret;
  onClose: () => void;
};

export function OwnApplicationDialog({ application, ...props }: Props) {
  return application ? <EditDialog {...props} application={application} /> : <AddDialog {...props} />;
}

function AddDialog({ orgId, onSecret, onClose }: Omit<Props, 'application'>) {
  const refresh = useOwnChanged(orgId);
  const form = useForm(ownApplications.register, {
    initial: valuesOf(),
    toInput: (values) => ({ orgId, kind: values.kind, ...inputOf(values) }),
    rules,
    above: ['application_limit_reached', 'role_not_found', 'account_not_confirmed'],
    onDone: async ({ entry, secret }) => {
      await refresh();
      onSecret(entry, secret);
    },
  });
  return <ApplicationForm orgId={orgId} form={form} title={text.addTitle} act={text.add} onClose={onClose} />;
}

function EditDialog({
  orgId,
  application,
  onClose,
}: Omit<Props, 'application'> & { application: OwnApplication }) {
  const refresh = useOwnChanged(orgId);
  const initial = valuesOf(application);
  const form = useEditForm(ownApplications.change, {
    initial,
    toInput: (values) => ({
      orgId,
      id: application.id,
      ...changedValues(inputOf(values), inputOf(initial)),
      ...(values.removesIcon && { removesIcon: 1 as const }),
    }),
    rules,
    above: ['role_not_found', 'account_not_confirmed'],
    onDone: async (saved) => {
      await refresh(saved);
      onClose();
      showAlert({ kind: 'success', text: text.saved });
    },
  });
  return (
    <ApplicationForm
      orgId={orgId}
      form={form}
      title={fill(text.editTitle, application)}
      act={text.save}
      clientId={application.clientId}
      hasIcon={application.icon !== null}
      onClose={onClose}
    />
  );
}

type FormProps = {
  orgId: OrgId;
  form:
    | ReturnType<typeof useForm<typeof ownApplications.register, Values>>
    | ReturnType<typeof useForm<typeof ownApplications.change, Values>>;
  title: string;
  act: string;
  clientId?: string;
  hasIcon?: boolean;
  onClose: () => void;
};

function ApplicationForm({ orgId, form, title, act, clientId, hasIcon = false, onClose }: FormProps) {
  return (
    <FormDialog form={form} onClose={onClose} filled={form.isChanged} size="wide" title={title} act={act}>
      <FieldGrid>
        {form.refusal && (
          <FullRow>
            <RefusalNotice form={form} />
          </FullRow>
        )}
        <TextField label={text.name} {...form.field('name')} autoComplete="off" required />
        {clientId === undefined ? (
          <SelectField
            label={text.kind}
            hint={text.kindHint}
            options={APPLICATION_KINDS.map((kind) => ({ value: kind, label: text.kinds[kind] }))}
            {...form.field('kind')}
          />
        ) : (
          <TextField label={text.clientId} value={clientId} readOnly />
        )}
        <FullRow>
          <TextField
            label={text.description}
            {...form.field('description')}
            aside={optional}
            autoComplete="off"
          />
        </FullRow>
        {hasIcon && (
          <FullRow>
            <Checkbox
              label={text.removeIcon}
              checked={form.values.removesIcon !== ''}
              onChange={({ target }) => form.set('removesIcon', target.checked ? 'yes' : '')}
            />
          </FullRow>
        )}
        {form.values.kind !== 'server' && <AddressFields form={form} />}
        <FullRow>
          <AccessFields orgId={orgId} form={form} />
        </FullRow>
      </FieldGrid>
    </FormDialog>
  );
}

function AddressFields({ form }: Pick<FormProps, 'form'>) {
  const address = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;
  return (
    <>
      <FullRow>
        <TextAreaField
          label={text.redirectUrls}
          hint={text.redirectUrlsHint}
          placeholder="https://example.com/callback"
          {...form.field('redirectUrls')}
          {...address}
          required
        />
      </FullRow>
      <FullRow>
        <TextField
          label={text.startUrl}
          hint={text.startUrlHint}
          aside={optional}
          {...form.field('startUrl')}
          {...address}
          inputMode="url"
        />
      </FullRow>
      <FullRow>
        <TextAreaField
          label={text.signedOutUrls}
          hint={text.signedOutUrlsHint}
          aside={optional}
          rows={2}
          {...form.field('signedOutUrls')}
          {...address}
        />
      </FullRow>
      <FullRow>
        <TextField
          label={text.signOutUrl}
          hint={text.signOutUrlHint}
          aside={optional}
          {...form.field('signOutUrl')}
          {...address}
          inputMode="url"
        />
      </FullRow>
    </>
  );
}

/** Everyone, or people with one of the chosen roles. */
function AccessFields({ orgId, form }: Pick<FormProps, 'orgId' | 'form'>) {
  const { data: roles = [] } = useQuery(rolesQuery(orgId));
  const chosenIds = new Set(idsOf(form.values.roleIds));
  const toggle = (id: number) => {
    const after = new Set(chosenIds);
    if (!after.delete(id)) after.add(id);
    form.set('roleIds', [...after].toSorted((a, b) => a - b).join(' '));
  };
  return (
    <>
      <SelectField
        label={text.access}
        options={[
          { value: EVERYONE, label: text.everyone },
          { value: CHOSEN, label: text.chosen },
        ]}
        {...form.field('access')}
        hint={form.values.access === CHOSEN && chosenIds.size === 0 ? text.noRole : undefined}
      />
      {form.values.access === CHOSEN && (
        <fieldset>
          <legend className="visually-hidden">{text.chosen}</legend>
          {roles.map(({ id, name }) => (
            <Checkbox key={id} label={name} checked={chosenIds.has(id)} onChange={() => toggle(id)} />
          ))}
        </fieldset>
      )}
    </>
  );
}
