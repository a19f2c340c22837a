import * as z from 'zod/mini';
import { organizationName } from '#contract/split-by-bytes/area-fields.ts';
import { type Organization, organizationSettings } from '#contract/organizations/calls.ts';
import { organizationText as text } from '#words/organization.ts';
import { changedValues, useCardForm } from '#web/lib/edit-form.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Optional, TextField } from '#web/ui/field.tsx';
import { FormCard } from '#web/ui/form-card.tsx';
import { FieldGrid, FullRow } from '#web/ui/sections.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { isTranslated, languageOptions } from '#web/lib/language-options.ts';
import { TextAreaField } from '#web/ui/text-area-field.tsx';

const valuesOf = ({ name, description, website, employeeCount, language }: Organization) => ({
  name,
  description,
  website,
  employeeCount: employeeCount === null ? '' : String(employeeCount),
  language: language ?? '',
  isDefault: '',
});

type Props = { organization: Organization; onChanged: (changed: Partial<Organization>) => void };

export function InformationCard({ organization, onChanged }: Props) {
  const storedValues = valuesOf(organization);
  const form = useCardForm(organizationSettings.update, {
    initial: storedValues,
    // An empty size stays in, because a size is required.
    toInput: ({ isDefault, employeeCount, ...words }) => ({
      orgId: organization.id,
      ...changedValues(words, storedValues),
      ...(employeeCount === '' ? { employeeCount } : changedValues({ employeeCount }, storedValues)),
      ...(isDefault && { isDefault: 1 }),
    }),
    rules: ({ name }) => (name === organization.name ? {} : rulesOfName(name)),
    stored: valuesOf,
    onDone: (saved) => {
      onChanged(saved);
      showAlert({ kind: 'success', text: text.informationSaved });
    },
  });
  const { values, set } = form;
  const field = (name: 'name' | 'description' | 'website' | 'employeeCount' | 'language') => ({
    label: text[name],
    ...form.field(name),
  });
  const address = `/${organization.urlName}`;
  return (
    <FormCard form={form} act={text.saveChanges} title={text.information} lead={text.informationLead}>
      <FieldGrid>
        <TextField
          {...field('name')}
          hint={text.urlNameStays({ address })}
          autoComplete="organization"
          required
        />
        <TextField {...field('employeeCount')} inputMode="numeric" autoComplete="off" required />
        <TextField
          {...field('website')}
          aside={<Optional />}
          type="url"
          autoComplete="url"
          placeholder="https://example.com"
          wide
        />
        <TextAreaField {...field('description')} aside={<Optional />} wide />
        {isTranslated && (
          <SelectField
            {...field('language')}
            options={[{ value: '', label: text.inviterLanguage }, ...languageOptions]}
            wide
          />
        )}
        <FullRow>
          {organization.isDefault ? (
            <p>{text.isDefaultAlready}</p>
          ) : (
            <Checkbox
              label={text.isDefault}
              checked={values.isDefault !== ''}
              onChange={(event) => set('isDefault', event.target.checked ? '1' : '')}
            />
          )}
        </FullRow>
      </FieldGrid>
    </FormCard>
  );
}

/** A changed name follows the rule of settings. A name from onboarding may keep its digits. */
function rulesOfName(name: string): { name?: string } {
  const [issue] = z.safeParse(organizationName, name).error?.issues ?? [];
  return issue ? { name: issue.message } : {};
}
