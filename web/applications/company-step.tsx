import { useState } from 'react';
import { companyEntryText } from '#words/company-entry.ts';
import { whileBusy } from '#web/lib/while-busy.ts';
import { visitCompany } from '#web/public-pages/company-visit.ts';
import { PageHead } from '#web/public-pages/page-head.tsx';
import { Button } from '#web/ui/button.tsx';
import { requestPath } from './asked-request.ts';

const text = companyEntryText.company;
type Props = { organization: { readonly name: string; readonly urlName: string } };

/** Leads to the provider of the company, which leads back to the request. */
export function CompanyStep({ organization: { name: organization, urlName: company } }: Props) {
  const [busy, setBusy] = useState(false);
  const visit = () => void whileBusy(setBusy, () => visitCompany({ company, redirectPath: requestPath() }));
  return (
    <>
      <PageHead heading={text.title({ organization })} lead={text.lead} />
      <Button kind="primary" wide busy={busy} onClick={visit}>
        {text.act}
      </Button>
    </>
  );
}
