import { organizationText } from '#contract/text/organizations.ts';
import type { User } from '#contract/profile/user.ts';
import { FormDialog } from '#web/ui/form-dialog.tsx';
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
  return (
    <FormDialog
      form={form}
      open={open}
      onClose={onClose}
      filled={form.isChanged}
      size="wide"
      title={organizationText.onboardingTitle}
      description={organizationText.addLead}
      act={organizationText.create}
      cancel={organizationText.cancel}
    >
      <OnboardingFields form={form} user={user} />
    </FormDialog>
  );
}
