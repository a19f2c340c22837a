import { countries } from '#contract/countries.ts';
import { profile } from '#contract/profile.ts';
import { areaFieldText } from '#contract/text/area-fields.ts';
import { profileText } from '#contract/text/profile.ts';
import type { User } from '#contract/user.ts';
import type { OrgId } from '#contract/wire.ts';
import { useForm } from '#web/lib/form.ts';
import { useTakenOver } from '#web/lib/taken-over.ts';
import { useUnsaved } from '#web/lib/unsaved.ts';
import { showAlert } from '#web/ui/alert-store.ts';
import { Button } from '#web/ui/button.tsx';
import { LateCombobox } from '#web/ui/late-combobox.tsx';
import { Optional, TextField } from '#web/ui/field.tsx';
import { Card, FieldGrid, FullRow } from '#web/ui/sections.tsx';
import { PictureField } from './picture-field.tsx';
import { ZoneField } from './zone-field.tsx';

const countryOptions = countries.map(({ name }) => ({ value: name, label: name }));

const valuesOf = (user: User) => ({
  firstName: user.firstName,
  lastName: user.lastName,
  designation: user.designation,
  country: user.country ?? '',
  timeZone: user.timeZone ?? '',
});

type Props = { orgId: OrgId | undefined; user: User; onSaved: (changed: Partial<User>) => void };

/** Name, designation, country and time zone, saved together. */
export function ProfileForm({ orgId, user, onSaved }: Props) {
  const form = useForm(profile.update, {
    initial: valuesOf(user),
    // A place not chosen yet is left out, and one that was chosen can't be taken back.
    toInput: ({ country, timeZone, ...names }) => ({
      orgId,
      ...names,
      country: country || undefined,
      timeZone: timeZone || undefined,
    }),
    rules: ({ country, timeZone }) => ({
      ...(user.country && !country && { country: areaFieldText.country }),
      ...(user.timeZone && !timeZone && { timeZone: areaFieldText.timeZone }),
    }),
    stored: valuesOf,
    onDone: (saved) => {
      onSaved(saved);
      showAlert({ kind: 'success', text: profileText.saved });
    },
  });
  useTakenOver(form, valuesOf(user));
  useUnsaved(form.changed);
  const { values, set, messages } = form;
  const field = (name: 'firstName' | 'lastName' | 'designation') => ({
    name,
    label: profileText[name],
    value: values[name],
    error: messages[name],
    onChange: (event: { target: { value: string } }) => set(name, event.target.value),
  });
  const save = (
    <Button kind="primary" type="submit" busy={form.busy} disabled={!form.changed}>
      {profileText.saveChanges}
    </Button>
  );
  return (
    <form {...form.props}>
      <Card foot={save}>
        <PictureField orgId={orgId} user={user} onChanged={onSaved} />
        <FieldGrid>
          <TextField {...field('firstName')} autoComplete="given-name" required />
          <TextField {...field('lastName')} autoComplete="family-name" aside={<Optional />} />
          <TextField {...field('designation')} autoComplete="organization-title" aside={<Optional />} />
          <LateCombobox
            label={profileText.country}
            placeholder={profileText.chooseCountry}
            options={countryOptions}
            value={values.country || null}
            error={messages['country']}
            onChange={(country) => set('country', country ?? '')}
          />
          <FullRow>
            <ZoneField
              country={values.country}
              value={values.timeZone}
              error={messages['timeZone']}
              onChange={(zone) => set('timeZone', zone)}
            />
          </FullRow>
        </FieldGrid>
      </Card>
    </form>
  );
}
