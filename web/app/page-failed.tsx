import { useRouter } from '@tanstack/react-router';
import { areaText } from '#contract/text/area.ts';
import { whyNotLoaded } from '#web/ui/cause.ts';
import { Failed } from './failed.tsx';
import { loadPageAt } from './queries.ts';

/** Stands in for a page that could not be loaded or drawn. */
export function PageFailed({ reset }: { reset: () => void }) {
  const router = useRouter();
  const again = async () => {
    if (!(await loadPageAt(location.pathname))) return;
    reset();
    void router.invalidate();
  };
  return <Failed title={areaText.pageFailed} hint={whyNotLoaded()} onRetry={() => void again()} />;
}
