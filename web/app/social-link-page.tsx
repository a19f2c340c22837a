import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { social } from '#contract/social/calls.ts';
import { companyLinkText as text } from '#words/company-link.ts';
import { socialButtonsText } from '#words/social-buttons.ts';
import { call } from '#web/lib/call.ts';
import { leaveFor } from '#web/lib/navigate.ts';
import { useCall } from '#web/lib/use-call.ts';
import { LinkGone, LinkLoading, LinkQuestion } from './link-question.tsx';
import { useSession } from './session-context.ts';

/** Names the account at Google or Facebook that came back, before it opens this one. */
export function SocialLinkPage() {
  const { visit = '' } = useSearch({ from: '/account/sociallink' });
  const { user } = useSession();
  const { data, isError, refetch } = useQuery({
    queryKey: ['social link', visit],
    queryFn: () => call(social.waiting, { visit }),
  });
  const { run, busy } = useCall(social.link, { not_found: () => void refetch() });
  if (!data) return <LinkLoading isError={isError} onRetry={() => void refetch()} />;
  const { link } = data;
  if (!link) return <LinkGone hint={text.providerGoneHint} />;
  const provider = socialButtonsText.providers[link.provider];
  return (
    <LinkQuestion
      other={provider}
      facts={{ [provider]: link.said ?? text.noAddress, [text.thisAccount]: user.email ?? user.fullName }}
      effect={text.providerEffect({ provider })}
      busy={busy}
      onAccept={async () => {
        if (await run({ visit })) await leaveFor('/');
      }}
    />
  );
}
