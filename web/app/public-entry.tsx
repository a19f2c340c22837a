import { Component, type ReactNode, useEffect, useState } from 'react';
import { uiText } from '#words/ui.ts';
import { publicText as text } from '#words/public.ts';
import { takeBackLateWords } from './late-words.ts';
import { PublicLayout } from './public-layout.tsx';
import type { PublicPage } from '#web/public-pages/public-page.ts';
import { showTitle } from '#web/public-pages/title.ts';
import { AlertHost } from '#web/ui/alert.tsx';
import { showAlert } from '#web/lib/alert-store.ts';
import { Button } from '#web/ui/button.tsx';

type Props = {
  loading: Promise<{ page: PublicPage }>;
  framed: boolean;
  /** The page, if it is already loaded: the server renders it and the script hydrates it at once. */
  first?: PublicPage | undefined;
};

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
    <Boundary>
      {framed || failed ? <PublicLayout>{content}</PublicLayout> : content}
      <AlertHost />
    </Boundary>
  );
}

/** If a page throws while rendering, this shows a retry instead of a blank window. */
class Boundary extends Component<{ children: ReactNode }> {
  override state = { failed: false };
  static getDerivedStateFromError = () => ({ failed: true });
  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <PublicLayout>
        <NotLoaded />
      </PublicLayout>
    );
  }
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
