import { useEffect, useState } from 'react';
import { uiText } from '#contract/text/ui.ts';
import { publicText as text } from '#contract/text/public.ts';
import { takeBackLateWords } from '#web/app/late-words.ts';
import { PublicLayout } from '#web/app/public-layout.tsx';
import type { PublicPage } from '#web/lib/public-page.ts';
import { showTitle } from '#web/lib/title.ts';
import { AlertHost } from '#web/ui/alert.tsx';
import { showAlert } from '#web/ui/alert-store.ts';
import { Button } from '#web/ui/button.tsx';

type Props = {
  loading: Promise<{ page: PublicPage }>;
  /** Whether the page stands in the frame with the porch, or brings its own. */
  framed: boolean;
  /** The page itself, when it is there already: as the server draws it, and as the script takes that over. */
  first?: PublicPage | undefined;
};

/** One public page in its frame; the frame is there before the page's chunk is. */
export function PublicEntry({ loading, framed, first }: Props) {
  const [page, setPage] = useState(first);
  const [failed, setFailed] = useState(false);

  useEffect(() => {
    const show = (chunk: { page: PublicPage }) => {
      showTitle(chunk.page.title);
      setPage(chunk.page);
    };
    const fail = () => {
      showTitle(text.failedTitle);
      setFailed(true);
      showAlert({ kind: 'danger', text: uiText.wentWrong });
    };
    void loading.then(show, fail).then(takeBackLateWords);
  }, [loading]);

  const content = page ? <page.View /> : failed && <NotLoaded />;
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
        <p>{uiText.notLoadedHint}</p>
      </header>
      <Button kind="primary" wide onClick={() => location.reload()}>
        {uiText.tryAgain}
      </Button>
    </>
  );
}
