import { useRef } from 'react';
import { accountDeletion } from '#contract/accounts/deletion.ts';
import type { Output } from '#contract/endpoint.ts';
import { deletionText as text } from '#words/deletion.ts';
import { uiText } from '#words/ui.ts';
import type { User } from '#contract/profile/user.ts';
import { present } from '#web/lib/failures.ts';
import { useForm } from '#web/lib/form.ts';
import { leaveFor } from '#web/lib/navigate.ts';
import { RefusalNotice } from '#web/ui/refusal-notice.tsx';
import { tellSignedOut } from '#web/lib/stored-text.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { TextAreaField } from '#web/ui/text-area-field.tsx';

type Props = {
  effects: Output<typeof accountDeletion.effects>;
  user: User;
  date: string;
  onClose: () => void;
};

/** A person without a password proves themself with a mailed code. */
export function DeleteAccountDialog({ effects, user, date, onClose }: Props) {
  const { passwordNeeded, organizations } = effects;
  const going = organizations.filter(({ effect }) => effect === 'goes').map(({ id }) => id);
  const cancelButton = useRef<HTMLButtonElement>(null);
  const form = useForm(accountDeletion.request, {
    initial: { reason: '', password: '' },
    toInput: ({ reason, password }) => (passwordNeeded ? { reason, password, going } : { reason, going }),
    beside: { invalid_credentials: 'password' },
    above: ['last_super_admin', 'too_many_requests', 'unavailable'],
    claims: {
      changed_meanwhile: (failure) => {
        present(failure);
        onClose();
      },
    },
    onDone: ({ deletedOn }) => {
      tellSignedOut();
      return leaveFor(farewellPath(deletedOn, user), { replace: true });
    },
  });
  return (
    <Dialog
      onClose={onClose}
      form={form.props}
      busy={form.busy}
      initialFocus={cancelButton}
      title={text.ask}
      description={text.effect({ date })}
      footer={
        <>
          <Button ref={cancelButton} onClick={onClose} disabled={form.busy}>
            {uiText.cancel}
          </Button>
          <Button kind="danger" type="submit" busy={form.busy}>
            {text.act}
          </Button>
        </>
      }
    >
      <RefusalNotice form={form} />
      <TextAreaField label={text.reason} hint={text.reasonHint} required {...form.field('reason')} />
      {passwordNeeded && (
        <PasswordField
          label={text.password}
          autoComplete="current-password"
          required
          {...form.field('password')}
        />
      )}
    </Dialog>
  );
}

/** The page is public, so its address carries the facts and the time zone. */
function farewellPath(until: Date, { email, confirmed, timeZone }: User) {
  const query = new URLSearchParams({ reason: 'deactivated', until: until.toISOString() });
  if (timeZone !== null) query.set('zone', timeZone);
  if (email === null || !confirmed) query.set('mailed', '0');
  return `/farewell?${query.toString()}`;
}
