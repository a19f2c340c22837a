import { isPlainPassword, profile } from '#contract/profile/calls.ts';
import { fieldText } from '#words/field.ts';
import { newPasswordText } from '#words/new-password.ts';
import { profileText as text } from '#words/profile.ts';
import { useForm } from '#web/lib/form.ts';
import { PasswordHints } from '#web/public-pages/password-hints.tsx';
import { showAlert } from '#web/lib/alert-store.ts';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { FieldGrid } from '#web/ui/sections.tsx';

export function PasswordDialog({ email, onClose }: { email: string | null; onClose: () => void }) {
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
      showAlert({ kind: 'success', text: text.passwordSaved });
      onClose();
    },
  });
  const { currentPassword, newPassword } = form.values;
  const differs = currentPassword !== '' && newPassword !== currentPassword;
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      filled={form.isChanged}
      title={text.password}
      description={text.passwordHint}
      act={text.saveChanges}
    >
      {/* Tells password managers the account. */}
      <input type="text" name="username" autoComplete="username" value={email ?? ''} readOnly hidden />
      <FieldGrid>
        <PasswordField
          label={text.currentPassword}
          {...form.field('currentPassword')}
          autoComplete="current-password"
          required
          wide
        />
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
    </FormDialog>
  );
}
