import { useQuery } from '@tanstack/react-query';
import type { OwnApplication } from '#contract/applications/own.ts';
import { addressProblems, APPLICATION_KINDS } from '#contract/applications/registration.ts';
import { ownApplicationsText as text } from '#words/own-applications.ts';
import { rolesQuery } from '#web/members/roles-query.ts';
import { EntryFormDialog, type FieldsProps, type FormProps } from '#web/registry/entry-form-dialog.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Optional, TextField } from '#web/ui/field.tsx';
import { FullRow } from '#web/ui/sections.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { TextAreaField } from '#web/ui/text-area-field.tsx';
import { registry } from './own-applications.ts';

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

const inputOf = ({ name, description, startUrl, signOutUrl, ...values }: Values) => ({
  name,
  description,
  startUrl,
  signOutUrl,
  redirectUrls: linesOf(values.redirectUrls),
  signedOutUrls: linesOf(values.signedOutUrls),
  isForEveryone: values.access === EVERYONE ? 1 : 0,
  roleIds: values.access === EVERYONE ? [] : idsOf(values.roleIds),
});

export const OwnApplicationDialog = (props: FormProps<OwnApplication>) => (
  <EntryFormDialog
    {...props}
    registry={registry}
    initial={valuesOf(props.entry)}
    inputOf={inputOf}
    added={({ kind }) => ({ kind })}
    changed={({ removesIcon }) => removesIcon !== '' && { removesIcon: 1 }}
    rules={(values) => addressProblems({ ...inputOf(values), kind: values.kind })}
    above={['application_limit_reached', 'role_not_found', 'account_not_confirmed']}
    Fields={Fields}
  />
);

type Props = FieldsProps<OwnApplication, Values>;

function Fields({ form, orgId, entry }: Props) {
  const control = <TextField label={text.name} {...form.field('name')} autoComplete="off" required />;
  return (
    <>
      {entry ? <FullRow>{control}</FullRow> : control}
      {!entry && (
        <SelectField
          label={text.kind}
          hint={text.kindHint}
          options={APPLICATION_KINDS.map((kind) => ({ value: kind, label: text.kinds[kind] }))}
          {...form.field('kind')}
        />
      )}
      <TextField
        label={text.description}
        {...form.field('description')}
        aside={optional}
        autoComplete="off"
        wide
      />
      {entry && entry.icon !== null && (
        <Checkbox
          label={text.removeIcon}
          checked={form.values.removesIcon !== ''}
          onChange={({ target }) => form.set('removesIcon', target.checked ? 'yes' : '')}
          wide
        />
      )}
      {form.values.kind !== 'server' && <AddressFields form={form} />}
      <FullRow>
        <AccessFields orgId={orgId} form={form} />
      </FullRow>
    </>
  );
}

function AddressFields({ form }: Pick<Props, 'form'>) {
  const address = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;
  return (
    <>
      <TextAreaField
        label={text.redirectUrls}
        hint={text.redirectUrlsHint}
        placeholder="https://example.com/callback"
        {...form.field('redirectUrls')}
        {...address}
        required
        wide
      />
      <TextField
        label={text.startUrl}
        hint={form.values.startUrl === '' ? text.startUrlMissing : text.startUrlHint}
        aside={optional}
        {...form.field('startUrl')}
        {...address}
        inputMode="url"
        wide
      />
      <TextAreaField
        label={text.signedOutUrls}
        hint={text.signedOutUrlsHint}
        aside={optional}
        rows={2}
        {...form.field('signedOutUrls')}
        {...address}
        wide
      />
      <TextField
        label={text.signOutUrl}
        hint={text.signOutUrlHint}
        aside={optional}
        {...form.field('signOutUrl')}
        {...address}
        inputMode="url"
        wide
      />
    </>
  );
}

function AccessFields({ orgId, form }: Pick<Props, 'orgId' | 'form'>) {
  const { data: roles = [] } = useQuery(rolesQuery(orgId));
  const chosenIds = idsOf(form.values.roleIds);
  const toggle = (id: number) => {
    const after = chosenIds.includes(id) ? chosenIds.filter((one) => one !== id) : [...chosenIds, id];
    form.set('roleIds', after.toSorted((a, b) => a - b).join(' '));
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
        hint={form.values.access === CHOSEN && chosenIds.length === 0 ? text.noRole : undefined}
      />
      {form.values.access === CHOSEN && (
        <fieldset>
          <legend className="visually-hidden">{text.chosen}</legend>
          {roles.map(({ id, name }) => (
            <Checkbox key={id} label={name} checked={chosenIds.includes(id)} onChange={() => toggle(id)} />
          ))}
        </fieldset>
      )}
    </>
  );
}
