import { profile } from '#contract/profile/calls.ts';
import { areaFieldText } from '#words/area-field.ts';
import { profileText } from '#words/profile.ts';
import type { User } from '#contract/profile/user.ts';
import type { OrgId } from '#contract/wire.ts';
import { countryOptions } from '#web/lib/country-options.ts';
import { useCardForm } from '#web/lib/edit-form.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { LateCombobox } from '#web/ui/late-combobox.tsx';
import { Optional, TextField } from '#web/ui/field.tsx';
import { FormCard } from '#web/ui/form-card.tsx';
import { FieldGrid, NameFields } from '#web/ui/sections.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { isTranslated, languageOptions } from '#web/lib/language-options.ts';
import { PictureField } from './picture-field.tsx';
import { ZoneField } from './zone-field.tsx';

const valuesOf = (user: User) => ({
  firstName: user.firstName,
  lastName: user.lastName,
  designation: user.designation,
  country: user.country ?? '',
  timeZone: user.timeZone ?? '',
  language: user.language ?? '',
});

type Props = { orgId: OrgId | undefined; user: User; onSaved: (changed: Partial<User>) => void };

export function ProfileForm({ orgId, user, onSaved }: Props) {
  const form = useCardForm(profile.update, {
    initial: valuesOf(user),
    // Country and time zone are left out until chosen, and cannot be cleared afterwards.
    toInput: ({ country, timeZone, language, ...names }) => ({
      orgId,
      ...names,
      country: country || undefined,
      timeZone: timeZone || undefined,
      language: language || undefined,
    }),
    rules: ({ country, timeZone }) => ({
      ...(user.country && !country && { country: areaFieldText.country }),
      ...(user.timeZone && !timeZone && { timeZone: areaFieldText.timeZone }),
    }),
    stored: valuesOf,
    onDone: (saved) => {
      // The page that comes then is in the new language.
      if (saved.language !== user.language) return location.reload();
      onSaved(saved);
      showAlert({ kind: 'success', text: profileText.saved });
    },
  });
  const { values, set, messages } = form;
  const field = (name: 'firstName' | 'lastName' | 'designation') => ({
    label: profileText[name],
    ...form.field(name),
  });
  return (
    <FormCard form={form} act={profileText.saveChanges}>
      <PictureField orgId={orgId} user={user} onChanged={onSaved} />
      <FieldGrid>
        <NameFields>
          <TextField {...field('firstName')} autoComplete="given-name" required />
          <TextField {...field('lastName')} autoComplete="family-name" aside={<Optional />} />
        </NameFields>
        <TextField {...field('designation')} autoComplete="organization-title" aside={<Optional />} />
        <LateCombobox
          label={profileText.country}
          placeholder={profileText.chooseCountry}
          options={countryOptions}
          value={values.country || null}
          error={messages['country']}
          onChange={(country) => set('country', country ?? '')}
        />
        <ZoneField
          country={values.country}
          value={values.timeZone}
          error={messages['timeZone']}
          onChange={(zone) => set('timeZone', zone)}
        />
        {isTranslated && (
          <SelectField
            label={profileText.language}
            {...form.field('language')}
            options={languageOptions}
            wide
          />
        )}
      </FieldGrid>
    </FormCard>
  );
}
