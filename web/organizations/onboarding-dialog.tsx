import { useId } from 'react';
import { organizationText } from '#contract/text/organizations.ts';
import type { User } from '#contract/user.ts';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';
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
        <DialogButtons
          act={organizationText.create}
          onCancel={onClose}
          busy={form.busy}
          form={formId}
          cancel={organizationText.cancel}
        />
      }
    >
      <form id={formId} {...form.props}>
        <OnboardingFields form={form} user={user} />
      </form>
    </Dialog>
  );
}
