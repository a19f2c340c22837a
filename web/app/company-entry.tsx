import { useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { companyVisits } from '#contract/company-sign-in/visits.ts';
import { companyEntryText } from '#words/company-entry.ts';
import { askedPath, goTo, leaveFor } from '#web/lib/navigate.ts';
import { useCall } from '#web/lib/use-call.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, PageHeader } from '#web/ui/sections.tsx';
import { AccountProof } from './account-proof.tsx';
import { useSession } from './session-context.ts';

const text = companyEntryText.company;

/** Opens an organization that waits for the company's provider, or for a proof of the account. */
export function CompanyEntryPage() {
  const { needsEntry = [], user } = useSession();
  const { org } = useSearch({ from: '/account/companyentry' });
  const target =
    needsEntry.find(({ urlName }) => urlName === org) ?? (org === undefined ? needsEntry[0] : undefined);
  const page = askedPath() ?? `/${target?.urlName ?? org ?? ''}`;
  const isOpen = !target && !user.isReduced;
  useEffect(() => {
    if (isOpen) goTo(page, { replace: true });
  }, [isOpen, page]);
  const { run, busy } = useCall(companyVisits.start);
  if (isOpen) return null;
  if (!target) return <AccountProof onProven={() => leaveFor(page)} />;
  const visit = async () => {
    const answer = await run({ company: target.urlName, redirectPath: page });
    if (answer) await leaveFor(answer.authUrl);
  };
  return (
    <>
      <PageHeader title={text.title({ organization: target.name })} lead={text.lead} />
      <Card>
        <div>
          <Button kind="primary" busy={busy} onClick={() => void visit()}>
            {text.act}
          </Button>
        </div>
      </Card>
    </>
  );
}
