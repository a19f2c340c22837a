import { RotateCw } from 'lucide-react';
import { areaText } from '#words/area.ts';
import { Button } from '#web/ui/button.tsx';
import styles from './failed.module.css';
import { useRouter } from '@tanstack/react-router';
import { whyNotLoaded } from '#web/lib/cause.ts';
import { loadPageAt } from './queries.ts';

type Props = { title: string; hint: string; onRetry: () => void; busy?: boolean };

export function Failed({ title, hint, onRetry, busy = false }: Props) {
  return (
    <div className={styles.failed} role="alert">
      <h1>{title}</h1>
      <p>{hint}</p>
      <Button icon={<RotateCw />} busy={busy} onClick={onRetry}>
        {areaText.tryAgain}
      </Button>
    </div>
  );
}

export function PageFailed({ reset }: { reset: () => void }) {
  const router = useRouter();
  const retry = async () => {
    if (!(await loadPageAt(location.pathname))) return;
    reset();
    void router.invalidate();
  };
  return <Failed title={areaText.pageFailed} hint={whyNotLoaded()} onRetry={() => void retry()} />;
}
