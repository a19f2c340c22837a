import { useEffect, useState } from 'react';
import { uiText } from '#contract/text/ui.ts';
import { PRODUCT_NAME } from '#contract/limits.ts';
import { publicText as text } from '#contract/text/public.ts';
import { fill } from '#contract/text.ts';
import { PublicLayout } from '#web/app/public-layout.tsx';
import type { PublicPage, PublicPageProps } from '#web/lib/public-page.ts';
import { AlertHost } from '#web/ui/alert.tsx';
import { showAlert } from '#web/ui/alert-store.ts';
import { Button } from '#web/ui/button.tsx';

type Props = PublicPageProps & {
  loading: Promise<{ page: PublicPage }>;
  /** Whether the page stands in the frame with the porch, or brings its own. */
  framed: boolean;
};

/** One public page in its frame; the frame is there before the page's chunk is. */
export function PublicEntry({ loading, framed, hasPage }: Props) {
  const [page, setPage] = useState<PublicPage>();
  const [failed, setFailed] = useState(false);

  useEffect(() => {
    const show = (chunk: { page: PublicPage }) => {
      document.title = fill(text.title, { page: chunk.page.title, product: PRODUCT_NAME });
      setPage(chunk.page);
    };
    const fail = () => {
      document.title = fill(text.title, { page: text.failedTitle, product: PRODUCT_NAME });
      setFailed(true);
      showAlert({ kind: 'danger', text: uiText.wentWrong });
    };
    loading.then(show, fail);
  }, [loading]);

  const content = page ? <page.View hasPage={hasPage} /> : failed && <NotLoaded />;
  return (
    <>
      {framed || failed ? <PublicLayout>{content}</PublicLayout> : content}
      <AlertHost />
    </>
  );
}

function NotLoaded() {
  return (
    <>
      <header>
        <h1>{text.failedTitle}</h1>
        <p>{text.failedLead}</p>
      </header>
      <Button kind="primary" wide onClick={() => location.reload()}>
        {text.tryAgain}
      </Button>
    </>
  );
}
