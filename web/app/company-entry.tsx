import { useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { companyVisits } from '#contract/company-sign-in/visits.ts';
import { companyEntryText as text } from '#words/company-entry.ts';
import { askedPath, goTo, leaveFor } from '#web/lib/navigate.ts';
import { CallError } from '#web/lib/call.ts';
import { useCall, withProof } from '#web/lib/use-call.ts';
import { whileBusy } from '#web/lib/while-busy.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, PageHeader } from '#web/ui/sections.tsx';
import { useSession } from './session-context.ts';

/** Asks for a proof without a call that needs one. */
function proveNow() {
  let isAsked = false;
  return withProof(async () => {
    if (isAsked) return true;
    isAsked = true;
    throw new CallError('reauthentication_required', '');
  });
}

/** Opens an organization that waits for the company's provider, or for a proof of the account. */
export function CompanyEntryPage() {
  const { needsEntry = [] } = useSession();
  const { org } = useSearch({ from: '/account/companyentry' });
  const target =
    needsEntry.find(({ urlName }) => urlName === org) ?? (org === undefined ? needsEntry[0] : undefined);
  const isOpen = target === undefined;
  useEffect(() => {
    if (isOpen) goTo(askedPath() ?? `/${org ?? ''}`, { replace: true });
  }, [isOpen, org]);
  const { run, busy } = useCall(companyVisits.start);
  const [proving, setProving] = useState(false);
  if (!target) return null;
  const { name: organization, urlName, needs } = target;
  const page = askedPath() ?? `/${urlName}`;
  const visit = async () => {
    const answer = await run({ company: urlName, redirectPath: page });
    if (answer) await leaveFor(answer.authUrl);
  };
  const prove = () =>
    whileBusy(setProving, async () => {
      if (await proveNow()) await leaveFor(page);
    });
  const words = text[needs];
  return (
    <>
      <PageHeader
        title={words.title({ organization })}
        lead={needs === 'company' ? text.company.lead : text.account.lead({ organization })}
      />
      <Card>
        <div>
          <Button
            kind="primary"
            busy={busy || proving}
            onClick={() => void (needs === 'company' ? visit() : prove())}
          >
            {words.act}
          </Button>
        </div>
      </Card>
    </>
  );
}
