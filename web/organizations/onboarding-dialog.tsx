import { organizationText } from '#words/organization.ts';
import type { User } from '#contract/profile/user.ts';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { OnboardingFields } from './onboarding-fields.tsx';
import { useOnboarding } from './use-onboarding.ts';

type Props = {
  onClose: () => void;
  user: User;
  onCreated: (urlName: string) => Promise<void>;
};

export function OnboardingDialog({ onClose, user, onCreated }: Props) {
  const form = useOnboarding(user, onCreated);
  return (
    <FormDialog
      form={form}
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
