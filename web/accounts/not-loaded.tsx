import { uiText } from '#contract/text/ui.ts';
import { Button } from '#web/ui/button.tsx';
import { whyNotLoaded } from '#web/ui/cause.ts';
import { Notice } from '#web/ui/notice.tsx';

/** A part of Delete Account that did not load. */
export const NotLoaded = ({ busy, onRetry }: { busy: boolean; onRetry: () => void }) => (
  <Notice
    kind="danger"
    title={uiText.loadFailed}
    action={
      <Button size="small" busy={busy} onClick={onRetry}>
        {uiText.tryAgain}
      </Button>
    }
  >
    {whyNotLoaded()}
  </Notice>
);
