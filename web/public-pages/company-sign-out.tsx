import { useEffect, useState } from 'react';
import { companyVisits } from '#contract/company-sign-in/visits.ts';
import type { Output } from '#contract/endpoint.ts';
import { companyLineText as text } from '#words/company-line.ts';
import { call } from '#web/lib/call.ts';

/** After a sign-out here, a link to the company's own. The server gives its address, never the page's query. */
export function CompanySignOut() {
  const [link, setLink] = useState<Output<typeof companyVisits.signOut>['link']>(null);
  useEffect(() => {
    void call(companyVisits.signOut, {}).then(
      (answer) => setLink(answer.link),
      // Nobody asked, so a failure stays silent.
      () => undefined,
    );
  }, []);
  if (!link) return null;
  return (
    <p>
      <a href={link.url}>{text.signOut({ organization: link.organization })}</a>
    </p>
  );
}
