import { useRouter } from '@tanstack/react-router';
import { areaText } from '#words/area.ts';
import { whyNotLoaded } from '#web/ui/cause.ts';
import { Failed } from './failed.tsx';
import { loadPageAt } from './queries.ts';

export function PageFailed({ reset }: { reset: () => void }) {
  const router = useRouter();
  const retry = async () => {
    if (!(await loadPageAt(location.pathname))) return;
    reset();
    void router.invalidate();
  };
  return <Failed title={areaText.pageFailed} hint={whyNotLoaded()} onRetry={() => void retry()} />;
}
