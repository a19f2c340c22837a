import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { companyVisits } from '#contract/company-sign-in/visits.ts';
import { companyLinkText as text } from '#words/company-link.ts';
import { joinOfferText } from '#words/join-offer.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { call } from '#web/lib/call.ts';
import { present } from '#web/lib/failures.ts';
import { leaveFor } from '#web/lib/navigate.ts';
import { useCall } from '#web/lib/use-call.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, PageHeader } from '#web/ui/sections.tsx';
import { LinkGone, LinkLoading, LinkQuestion } from './link-question.tsx';
import { signOut } from './session.ts';

/** Asks for the account's own proof before a company's identity is linked with it. */
export function CompanyLinkPage() {
  const { visit = '' } = useSearch({ from: '/account/companylink' });
  const {
    data: link,
    isError,
    refetch,
  } = useQuery({
    queryKey: ['company link', visit],
    queryFn: async () => (await call(companyVisits.pendingLink, { visit })).link,
  });
  const organization = link?.organization ?? '';
  const outdated = () => void refetch();
  const { run, busy } = useCall(companyVisits.link, {
    not_found: outdated,
    changed_meanwhile: outdated,
    sign_max_users_reached: () => showAlert({ kind: 'danger', text: joinOfferText.full({ organization }) }),
  });
  const accept = async () => {
    const answer = await run({ visit });
    if (answer) await leaveFor(answer.next ?? `/${answer.urlName}`);
  };
  if (link === undefined) return <LinkLoading isError={isError} onRetry={() => void refetch()} />;
  if (link === null) return <LinkGone hint={text.goneHint} />;
  if (!link.isYours)
    return (
      <>
        <PageHeader title={text.otherTitle} lead={text.otherLead({ organization })} />
        <Card>
          <div>
            <Button kind="primary" onClick={() => void signOut().catch(present)}>
              {text.signOut}
            </Button>
          </div>
        </Card>
      </>
    );
  return (
    <LinkQuestion
      other={organization}
      facts={{ [text.atCompany]: link.companyEmail ?? text.noAddress, [text.thisAccount]: link.email }}
      effect={text.effect}
      busy={busy}
      onAccept={accept}
    />
  );
}
