import { RotateCw } from 'lucide-react';
import { areaText } from '#words/area.ts';
import { Button } from '#web/ui/button.tsx';
import styles from './failed.module.css';

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
