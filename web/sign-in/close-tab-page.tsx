import { useState } from 'react';
import { closeTabText as text } from '#words/close-tab.ts';
import { PageHead } from '#web/public-pages/page-head.tsx';
import type { PublicPage } from '#web/public-pages/public-page.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';

function CloseTabPage() {
  const [isStillOpen, setStillOpen] = useState(false);
  const close = () => {
    window.close();
    // Browsers close only tabs that a script opened. Otherwise this page remains.
    setStillOpen(true);
  };
  return (
    <>
      <PageHead heading={text.title} lead={text.lead} />
      <Button kind="primary" wide onClick={close}>
        {text.close}
      </Button>
      {isStillOpen && (
        <Notice kind="info" announce>
          {text.byHand}
        </Notice>
      )}
      <p>
        <a href="/">{text.stay}</a>
      </p>
    </>
  );
}

export const page: PublicPage = { title: text.title, View: CloseTabPage };
