import type { ReactNode } from 'react';
import { uiText } from '#words/ui.ts';
import { Button } from './button.tsx';
import { whyNotLoaded } from '#web/lib/cause.ts';
import { Card, PageHeader } from './sections.tsx';
import { Skeleton } from './skeleton.tsx';

type Props = {
  title: string;
  crumbs: ReactNode;
  failed: boolean;
  onRetry: () => void;
  /** It was removed. `back` is a link. */
  gone?: { title: string; hint: string; back: ReactNode } | false;
};

export function NotThere({ title, crumbs, failed, onRetry, gone }: Props) {
  if (gone)
    return (
      <>
        <PageHeader title={gone.title} lead={gone.hint} crumbs={crumbs} />
        {gone.back}
      </>
    );
  if (failed)
    return (
      <>
        <PageHeader title={uiText.loadFailed} lead={whyNotLoaded()} crumbs={crumbs} />
        <Button onClick={onRetry}>{uiText.tryAgain}</Button>
      </>
    );
  return (
    <>
      <PageHeader title={title} crumbs={crumbs} />
      <Card>
        <Skeleton shape="field" width="full" />
      </Card>
      <Card>
        <Skeleton shape="field" width="full" />
        <Skeleton shape="field" width="full" />
        <Skeleton shape="field" width="full" />
      </Card>
    </>
  );
}
