import { countries } from '#contract/countries.ts';
import { organizationText } from '#contract/text/organizations.ts';
import { fill } from '#contract/text.ts';
import type { User } from '#contract/user.ts';
import { LateCombobox } from '#web/ui/late-combobox.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Optional } from '#web/ui/optional.tsx';
import { FieldGrid, FullRow } from '#web/ui/sections.tsx';
import type { OnboardingForm } from './use-onboarding.ts';

const countryOptions = countries.map(({ name }) => ({ value: name, label: name }));
const optional = <Optional>{organizationText.optional}</Optional>;

/** The fields of the onboarding form; the address is asked for only where we have none. */
export function OnboardingFields({ form, user }: { form: OnboardingForm; user: User }) {
  const { values, set, field, messages } = form;
  const firstName = values.firstName.trim();
  const nameHint = firstName
    ? fill(organizationText.nameHint, { firstName })
    : organizationText.nameHintUnknown;
  return (
    <FieldGrid>
      <TextField
        label={organizationText.firstName}
        autoComplete="given-name"
        required
        {...field('firstName')}
      />
      <TextField
        label={organizationText.lastName}
        aside={optional}
        autoComplete="family-name"
        {...field('lastName')}
      />
      {user.email === null && (
        <FullRow>
          <TextField
            label={organizationText.email}
            type="email"
            autoComplete="email"
            required
            {...field('email')}
          />
        </FullRow>
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
        aside={optional}
        type="tel"
        autoComplete="tel"
        {...field('contactNumber')}
      />
      <TextField
        label={organizationText.name}
        aside={optional}
        hint={nameHint}
        autoComplete="organization"
        {...field('name')}
      />
      <TextField
        label={organizationText.employeeCount}
        aside={optional}
        inputMode="numeric"
        autoComplete="off"
        {...field('employeeCount')}
      />
    </FieldGrid>
  );
}
