import { companyLinkText as text } from '#words/company-link.ts';
import { leaveFor } from '#web/lib/navigate.ts';
import { Button } from '#web/ui/button.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { Card, LoadFailed, PageHeader } from '#web/ui/sections.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

export const LinkLoading = ({ isError, onRetry }: { isError: boolean; onRetry: () => void }) => (
  <>
    <PageHeader title={text.loading} />
    <Card>{isError ? <LoadFailed onRetry={onRetry} /> : <Skeleton width="most" />}</Card>
  </>
);

export const LinkGone = ({ hint }: { hint: string }) => (
  <>
    <PageHeader title={text.gone} lead={hint} />
    <Button kind="primary" onClick={() => void leaveFor('/')}>
      {text.goOn}
    </Button>
  </>
);

type Question = {
  /** The organization or provider, and the name of the identity there. */
  other: string;
  facts: Record<string, string>;
  effect: string;
  busy: boolean;
  onAccept: () => Promise<void>;
};
/** Shows whose identity would open this account, because the browser may be somebody else's at the provider. */
export const LinkQuestion = ({ other, facts, effect, busy, onAccept }: Question) => (
  <>
    <PageHeader title={text.title({ organization: other })} lead={text.lead} />
    <Card
      foot={
        <>
          <Button onClick={() => void leaveFor('/')}>{text.later}</Button>
          <Button kind="primary" busy={busy} onClick={() => void onAccept()}>
            {text.act}
          </Button>
        </>
      }
    >
      <Facts facts={facts} />
      <p>{effect}</p>
    </Card>
  </>
);
