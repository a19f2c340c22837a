import { plain, plainAddress } from '#contract/split-by-bytes/field-parts.ts';
import { profile } from '#contract/profile/calls.ts';
import { fieldText } from '#words/field.ts';
import { profileText as text } from '#words/profile.ts';
import type { User } from '#contract/profile/user.ts';
import type { OrgId } from '#contract/wire.ts';
import { useCardForm } from '#web/lib/edit-form.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { addressInput, TextField } from '#web/ui/field.tsx';
import { FormCard } from '#web/ui/form-card.tsx';
import { FieldGrid } from '#web/ui/sections.tsx';
import { PendingEmail } from './pending-email.tsx';

const valuesOf = ({ email, contactNumber }: User) => ({ email: email ?? '', contactNumber });

type Props = { orgId: OrgId | undefined; user: User; onSaved: (changed: Partial<User>) => void };

export function ContactCard({ orgId, user, onSaved }: Props) {
  const storedValues = valuesOf(user);
  const { addressManager } = user;
  const form = useCardForm(profile.update, {
    initial: storedValues,
    toInput: ({ email, contactNumber }) => {
      const emailChanged = plainAddress(email) !== storedValues.email;
      const phoneChanged = plain(contactNumber) !== storedValues.contactNumber;
      return {
        orgId,
        email: addressManager === null && (emailChanged || !phoneChanged) ? email : undefined,
        contactNumber: phoneChanged || addressManager !== null ? contactNumber : undefined,
      };
    },
    rules: ({ email, contactNumber }) => ({
      ...(!plainAddress(email) && { email: fieldText.required }),
      ...(!plain(contactNumber) && { contactNumber: fieldText.required }),
    }),
    beside: { email_id_exist: 'email' },
    stored: valuesOf,
    onDone: (saved) => {
      onSaved(saved);
      const { pendingEmail } = saved;
      const isNew = pendingEmail !== null && pendingEmail !== user.pendingEmail;
      const words = isNew ? text.confirmMailed({ email: pendingEmail }) : text.contactSaved;
      showAlert({ kind: 'success', about: 'contact', text: words });
    },
  });
  const onCancelled = () => {
    onSaved({ pendingEmail: null });
    // The pressed button is gone.
    form.props.ref.current?.querySelector<HTMLElement>('[name="email"]')?.focus();
  };
  return (
    <FormCard form={form} act={text.saveChanges}>
      <FieldGrid>
        <TextField
          label={text.email}
          {...form.field('email')}
          {...addressInput}
          autoComplete="email"
          required
          {...(addressManager !== null && {
            readOnly: true,
            hint: text.addressManaged({ organization: addressManager }),
          })}
        />
        <TextField
          label={text.phone}
          {...form.field('contactNumber')}
          type="tel"
          autoComplete="tel"
          required
        />
      </FieldGrid>
      {user.pendingEmail && addressManager === null && (
        <PendingEmail
          key={user.pendingEmail}
          email={user.pendingEmail}
          former={user.email}
          onCancelled={onCancelled}
        />
      )}
    </FormCard>
  );
}
