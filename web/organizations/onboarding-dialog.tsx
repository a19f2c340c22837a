import { useId } from 'react';
import { organizationText } from '#contract/text/organizations.ts';
import type { User } from '#contract/user.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { OnboardingFields } from './onboarding-fields.tsx';
import { useOnboarding } from './use-onboarding.ts';

type Props = {
  open: boolean;
  onClose: () => void;
  user: User;
  onCreated: (urlName: string) => Promise<void>;
};

/** The onboarding form in a dialog, for another organization. */
export function OnboardingDialog({ open, onClose, user, onCreated }: Props) {
  const form = useOnboarding(user, onCreated);
  const formId = useId();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      busy={form.busy}
      filled={form.isChanged}
      size="wide"
      title={organizationText.onboardingTitle}
      description={organizationText.addLead}
      footer={
        <>
          <Button onClick={onClose} disabled={form.busy}>
            {organizationText.cancel}
          </Button>
          <Button kind="primary" type="submit" form={formId} busy={form.busy}>
            {organizationText.create}
          </Button>
        </>
      }
    >
      <form id={formId} {...form.props}>
        <OnboardingFields form={form} user={user} />
      </form>
    </Dialog>
  );
}
