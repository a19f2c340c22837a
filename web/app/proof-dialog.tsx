import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { stepUpText as text } from '#words/step-up.ts';
import { hasDraft } from '#web/lib/drafts.ts';
import { refetchSecondSteps } from '#web/lib/second-steps.ts';
import { hasUnsaved } from '#web/lib/unsaved.ts';
import { Proof, type Way } from '#web/public-pages/proof.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';

const leads = {
  passkey: text.proofByPasskey,
  password: text.proofLead,
  app: text.proofByApp,
  mail: text.proofByCode,
  unsent: text.proofByCode,
};

type Props = { accepted?: readonly Way[]; onClose: () => void; onProven: () => void };

export function ProofDialog({ accepted, onClose, onProven }: Props) {
  const client = useQueryClient();
  const [isFilled] = useState(() => hasDraft() || hasUnsaved());
  return (
    <Proof
      {...(accepted && { accepted })}
      onFailed={onClose}
      onProven={() => {
        onProven();
        // The proof may have used a passkey or the app.
        void refetchSecondSteps(client);
      }}
      render={({ way, form, above, children, below }) => (
        <FormDialog
          alone
          onClose={onClose}
          size="small"
          title={text.proofTitle}
          description={
            <>
              <span>{leads[way]}</span>
              {isFilled && <span>{` ${text.filledStays}`}</span>}
            </>
          }
          act={text.confirm}
          form={form}
        >
          {above}
          {children}
          {below}
        </FormDialog>
      )}
    />
  );
}
