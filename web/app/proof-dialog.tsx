import { useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import { companyVisits } from '#contract/company-sign-in/visits.ts';
import { stepUpText as text } from '#words/step-up.ts';
import { stepUpByCompanyText as companyText } from '#words/step-up-by-company.ts';
import { hasDraft } from '#web/lib/drafts.ts';
import { leaveFor } from '#web/lib/navigate.ts';
import { refetchSecondSteps } from '#web/lib/second-steps.ts';
import { hasUnsaved } from '#web/lib/unsaved.ts';
import { useCall } from '#web/lib/use-call.ts';
import { type ByCompany, Proof, submitting } from '#web/public-pages/proof.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';

const leads = {
  passkey: text.proofByPasskey,
  password: text.proofLead,
  app: text.proofByApp,
  mail: text.proofByCode,
  recovery: text.proofByRecovery,
  unsent: text.proofByCode,
  company: companyText.lead,
};

const byCompany: ByCompany = {
  label: companyText.act,
  Form: ({ company, render }) => {
    const { run, busy } = useCall(companyVisits.prove);
    const visit = async () => {
      const answer = await run({ redirectPath: location.pathname + location.search });
      if (answer) await leaveFor(answer.authUrl);
    };
    const form = { props: { onSubmit: submitting(visit) }, busy };
    return render({ way: 'company', act: companyText.act({ company }), form });
  },
};

type Props = Pick<ComponentProps<typeof Proof>, 'first' | 'step'> & {
  onClose: () => void;
  onProven: () => void;
};

export function ProofDialog({ first, step, onClose, onProven }: Props) {
  const client = useQueryClient();
  const [isFilled] = useState(() => hasDraft() || hasUnsaved());
  return (
    <Proof
      first={first}
      step={step}
      // The visit leaves this page, so nothing that is filled in may be lost.
      byCompany={step || isFilled ? undefined : byCompany}
      onFailed={onClose}
      onProven={() => {
        onProven();
        // The proof may have used a passkey or the app.
        void refetchSecondSteps(client);
      }}
      render={({ way, form, act = text.confirm, above, children, below }) => (
        <FormDialog
          alone
          onClose={onClose}
          size={way === 'company' ? 'normal' : 'small'}
          title={text.proofTitle}
          description={
            <>
              <span>{leads[way]}</span>
              {isFilled && <span>{` ${text.filledStays}`}</span>}
            </>
          }
          act={act}
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
