import { isPlainPassword, profile } from '#contract/profile/calls.ts';
import { fieldText } from '#contract/text/fields.ts';
import { newPasswordText } from '#contract/text/new-password.ts';
import { profileText as text } from '#contract/text/profile.ts';
import { useForm } from '#web/lib/form.ts';
import { PasswordHints } from '#web/public-pages/password-hints.tsx';
import { RefusalNotice } from '#web/ui/refusal-notice.tsx';
import { useUnsaved } from '#web/lib/unsaved.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { FormCard } from '#web/ui/form-card.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { FieldGrid, FullRow } from '#web/ui/sections.tsx';

export function PasswordCard({ email }: { email: string | null }) {
  const form = useForm(profile.changePassword, {
    initial: { currentPassword: '', newPassword: '', confirm: '' },
    toInput: ({ currentPassword, newPassword }) => ({ currentPassword, newPassword }),
    rules: ({ currentPassword, newPassword, confirm }) => ({
      ...(newPassword !== '' && newPassword === currentPassword && { newPassword: text.samePassword }),
      ...(confirm !== newPassword && { confirm: newPasswordText.differ }),
      ...(confirm === '' && { confirm: fieldText.required }),
    }),
    beside: { invalid_credentials: 'currentPassword', same_password: 'newPassword' },
    above: ['too_many_requests', 'unavailable'],
    onDone: () => {
      form.reset();
      showAlert({ kind: 'success', text: text.passwordSaved });
    },
  });
  const { currentPassword, newPassword } = form.values;
  const differs = currentPassword !== '' && newPassword !== currentPassword;
  useUnsaved(form.isChanged);
  return (
    <FormCard form={form} act={text.saveChanges}>
      <RefusalNotice form={form} />
      {/* Tells password managers the account. */}
      <input type="text" name="username" autoComplete="username" value={email ?? ''} readOnly hidden />
      <FieldGrid>
        <FullRow>
          <PasswordField
            label={text.currentPassword}
            {...form.field('currentPassword')}
            autoComplete="current-password"
            required
          />
        </FullRow>
        <PasswordField
          label={text.newPassword}
          {...form.field('newPassword')}
          hint={
            <PasswordHints
              password={newPassword}
              {...(email !== null && { email })}
              more={[
                { met: isPlainPassword(newPassword), words: text.passwordPlain },
                { met: differs, words: text.passwordOther },
              ]}
              refused={'newPassword' in form.messages}
            />
          }
          autoComplete="new-password"
          required
        />
        <PasswordField
          label={text.confirmPassword}
          {...form.field('confirm')}
          autoComplete="new-password"
          required
        />
      </FieldGrid>
    </FormCard>
  );
}
