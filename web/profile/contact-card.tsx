import { profile } from '#contract/profile.ts';
import { fieldText } from '#contract/text/fields.ts';
import { profileText as text } from '#contract/text/profile.ts';
import { fill } from '#contract/text.ts';
import type { User } from '#contract/user.ts';
import type { OrgId } from '#contract/wire.ts';
import { useForm } from '#web/lib/form.ts';
import { useTakenOver } from '#web/lib/taken-over.ts';
import { useUnsaved } from '#web/lib/unsaved.ts';
import { showAlert } from '#web/ui/alert-store.ts';
import { Button } from '#web/ui/button.tsx';
import { Optional, TextField } from '#web/ui/field.tsx';
import { Card, FieldGrid } from '#web/ui/sections.tsx';
import { PendingEmail } from './pending-email.tsx';

const valuesOf = ({ email, contactNumber }: User) => ({ email: email ?? '', contactNumber });

type Props = { orgId: OrgId | undefined; user: User; onSaved: (changed: Partial<User>) => void };

/** How the person is reached. A new address waits below until its mailed link is opened. */
export function ContactCard({ orgId, user, onSaved }: Props) {
  const stored = valuesOf(user);
  // Who has given one can't take it back, only change it.
  const hasPhone = stored.contactNumber !== '';
  const form = useForm(profile.update, {
    initial: stored,
    toInput: ({ email, contactNumber }) => {
      const isMoved = email.trim() !== stored.email;
      const isOther = contactNumber.trim() !== stored.contactNumber;
      return {
        orgId,
        // With nothing changed but blanks, the server says so.
        email: isMoved || !isOther ? email : undefined,
        contactNumber: isOther ? contactNumber : undefined,
      };
    },
    rules: ({ email, contactNumber }) => ({
      ...(!email.trim() && { email: fieldText.required }),
      ...(hasPhone && !contactNumber.trim() && { contactNumber: fieldText.required }),
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
  useTakenOver(form, stored);
  useUnsaved(form.changed);
  const save = (
    <Button kind="primary" type="submit" busy={form.busy} disabled={!form.changed}>
      {text.saveChanges}
    </Button>
  );
  const cancelled = () => {
    onSaved({ pendingEmail: null });
    // The button that was pressed is gone.
    form.props.ref.current?.querySelector<HTMLElement>('[name="email"]')?.focus();
  };
  return (
    <form {...form.props}>
      <Card foot={save}>
        <FieldGrid>
          <TextField
            label={text.email}
            {...form.field('email')}
            type="email"
            autoComplete="email"
            spellCheck={false}
            required
          />
          <TextField
            label={text.phone}
            {...form.field('contactNumber')}
            type="tel"
            autoComplete="tel"
            required={hasPhone}
            aside={!hasPhone && <Optional />}
          />
        </FieldGrid>
        {user.pendingEmail && (
          <PendingEmail
            key={user.pendingEmail}
            email={user.pendingEmail}
            former={user.email}
            onCancelled={cancelled}
          />
        )}
      </Card>
    </form>
  );
}
