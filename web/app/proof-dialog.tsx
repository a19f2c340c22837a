import { useQueryClient } from '@tanstack/react-query';
import { stepUpText as text } from '#contract/text/step-up.ts';
import { refetchSecondSteps } from '#web/lib/second-steps.ts';
import { Proof, type Way } from '#web/public-pages/proof.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';

const leads = {
  passkey: text.proofByPasskey,
  password: text.proofLead,
  app: text.proofByApp,
  mail: text.proofByCode,
  unsent: text.proofByCode,
};

type Props = { byCode: boolean; accepted?: readonly Way[]; onClose: () => void; onProven: () => void };

export function ProofDialog({ byCode, accepted, onClose, onProven }: Props) {
  const client = useQueryClient();
  return (
    <Proof
      first={byCode ? undefined : 'password'}
      {...(accepted && { accepted })}
      onUnsent={onClose}
      onProven={() => {
        onProven();
        // The proof may have used a passkey or the app.
        void refetchSecondSteps(client);
      }}
      render={({ way, ...parts }) => (
        <FormDialog
          onClose={onClose}
          size="small"
          title={text.proofTitle}
          description={leads[way]}
          act={text.confirm}
          {...parts}
        />
      )}
    />
  );
}
