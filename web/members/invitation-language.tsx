import { membersText as text } from '#words/members.ts';
import { isTranslated, languageOptions } from '#web/lib/language-options.ts';
import { SelectField, type SelectFieldProps } from '#web/ui/select-field.tsx';

type Props = Omit<SelectFieldProps, 'label' | 'hint' | 'options'>;

export const InvitationLanguage = (props: Props) =>
  isTranslated && (
    <SelectField label={text.language} hint={text.languageHint} {...props} options={languageOptions} wide />
  );
