import { useState } from 'react';
import { companyEntryText } from '#words/company-entry.ts';
import { proveNow } from '#web/lib/use-call.ts';
import { whileBusy } from '#web/lib/while-busy.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, PageHeader } from '#web/ui/sections.tsx';
import { useSession } from './session-context.ts';

const text = companyEntryText.account;

type Props = { title?: string; onProven?: () => Promise<void> };

/** In place of what a session does not show for which only a company has vouched. */
export function AccountProof({ title = text.act, onProven }: Props) {
  const { hiddenOrganizations: count } = useSession();
  const [proving, setProving] = useState(false);
  const prove = () =>
    whileBusy(setProving, async () => {
      if (await proveNow()) await onProven?.();
    });
  return (
    <>
      <PageHeader title={title} lead={text.lead} />
      <Card>
        {count !== undefined && <p>{text.hidden({ count })}</p>}
        <div>
          <Button kind="primary" busy={proving} onClick={() => void prove()}>
            {text.act}
          </Button>
        </div>
      </Card>
    </>
  );
}
