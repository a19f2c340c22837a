import { uiText } from '#words/ui.ts';
import { Button } from './button.tsx';
import { whyNotLoaded } from './cause.ts';
import { Notice } from './notice.tsx';

export const LoadFailed = ({ busy, onRetry }: { busy?: boolean; onRetry: () => void }) => (
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
