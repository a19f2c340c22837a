import { plain, plainAddress } from '#contract/split-by-bytes/field-parts.ts';
import { profile } from '#contract/profile/calls.ts';
import { fieldText } from '#contract/text/fields.ts';
import { profileText as text } from '#contract/text/profile.ts';
import { fill } from '#contract/text.ts';
import type { User } from '#contract/profile/user.ts';
import type { OrgId } from '#contract/wire.ts';
import { useEditForm } from '#web/lib/edit-form.ts';
import { useStoredValues } from '#web/lib/stored-values.ts';
import { useUnsaved } from '#web/lib/unsaved.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { Button } from '#web/ui/button.tsx';
import { addressInput, TextField } from '#web/ui/field.tsx';
import { Card, FieldGrid } from '#web/ui/sections.tsx';
import { PendingEmail } from './pending-email.tsx';

const valuesOf = ({ email, contactNumber }: User) => ({ email: email ?? '', contactNumber });

type Props = { orgId: OrgId | undefined; user: User; onSaved: (changed: Partial<User>) => void };

/** Email and phone. A new address shows below until its mailed link is opened. */
export function ContactCard({ orgId, user, onSaved }: Props) {
  const storedValues = valuesOf(user);
  const form = useEditForm(profile.update, {
    initial: storedValues,
    toInput: ({ email, contactNumber }) => {
      const emailChanged = plainAddress(email) !== storedValues.email;
      const phoneChanged = plain(contactNumber) !== storedValues.contactNumber;
      return {
        orgId,
        email: emailChanged || !phoneChanged ? email : undefined,
        contactNumber: phoneChanged ? contactNumber : undefined,
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
      const words = isNew ? fill(text.confirmMailed, { email: pendingEmail }) : text.contactSaved;
      showAlert({ kind: 'success', about: 'contact', text: words });
    },
  });
  useStoredValues(form, storedValues);
  useUnsaved(form.isChanged);
  const save = (
    <Button kind="primary" type="submit" busy={form.busy}>
      {text.saveChanges}
    </Button>
  );
  const onCancelled = () => {
    onSaved({ pendingEmail: null });
    // The pressed button is gone.
    form.props.ref.current?.querySelector<HTMLElement>('[name="email"]')?.focus();
  };
  return (
    <form {...form.props}>
      <Card foot={save}>
        <FieldGrid>
          <TextField
            label={text.email}
            {...form.field('email')}
            {...addressInput}
            autoComplete="email"
            required
          />
          <TextField
            label={text.phone}
            {...form.field('contactNumber')}
            type="tel"
            autoComplete="tel"
            required
          />
        </FieldGrid>
        {user.pendingEmail && (
          <PendingEmail
            key={user.pendingEmail}
            email={user.pendingEmail}
            former={user.email}
            onCancelled={onCancelled}
          />
        )}
      </Card>
    </form>
  );
}
