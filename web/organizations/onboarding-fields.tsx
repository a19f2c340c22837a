import type { Ref } from 'react';
import { organizationText } from '#words/organization.ts';
import type { User } from '#contract/profile/user.ts';
import { LateCombobox } from '#web/ui/late-combobox.tsx';
import { addressInput, Optional, TextField } from '#web/ui/field.tsx';
import { FieldGrid, NameFields } from '#web/ui/sections.tsx';
import { countryOptions } from '#web/lib/country-options.ts';
import type { OnboardingForm } from './use-onboarding.ts';

type Props = { form: OnboardingForm; user: User; ref?: Ref<HTMLInputElement> | undefined };

export function OnboardingFields({ form, user, ref }: Props) {
  const { values, set, field, messages } = form;
  const firstName = values.firstName.trim();
  const nameHint = firstName ? organizationText.nameHint({ firstName }) : organizationText.nameHintUnknown;
  return (
    <FieldGrid>
      <NameFields>
        <TextField
          label={organizationText.firstName}
          autoComplete="given-name"
          required
          ref={ref}
          {...field('firstName')}
        />
        <TextField
          label={organizationText.lastName}
          aside={<Optional />}
          autoComplete="family-name"
          {...field('lastName')}
        />
      </NameFields>
      {user.email === null && (
        <TextField
          label={organizationText.email}
          {...addressInput}
          autoComplete="email"
          required
          {...field('email')}
          wide
        />
      )}
      <LateCombobox
        label={organizationText.country}
        placeholder={organizationText.chooseCountry}
        required
        options={countryOptions}
        value={values.country || null}
        error={messages['country']}
        onChange={(country) => set('country', country ?? '')}
      />
      <TextField
        label={organizationText.phone}
        aside={<Optional />}
        type="tel"
        autoComplete="tel"
        {...field('contactNumber')}
      />
      <TextField
        label={organizationText.name}
        aside={<Optional />}
        hint={nameHint}
        autoComplete="organization"
        {...field('name')}
      />
      <TextField
        label={organizationText.employeeCount}
        aside={<Optional />}
        inputMode="numeric"
        autoComplete="off"
        {...field('employeeCount')}
      />
    </FieldGrid>
  );
}
