import { uiText } from '#contract/text/ui.ts';
import { Button } from './button.tsx';
import { whyNotLoaded } from './cause.ts';
import { Notice } from './notice.tsx';

/** The content of a card that did not load. */
export function LoadFailed({ onRetry }: { onRetry: () => void }) {
  const retry = (
    <Button size="small" onClick={onRetry}>
      {uiText.tryAgain}
    </Button>
  );
  return (
    <Notice kind="danger" title={uiText.loadFailed} action={retry}>
      {whyNotLoaded()}
    </Notice>
  );
}
