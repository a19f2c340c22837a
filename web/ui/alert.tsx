import { useEffect, useState, useSyncExternalStore } from 'react';
import { ALERT_SHOWN_MS } from '#contract/limits.ts';
import { uiText } from '#words/ui.ts';
import { currentAlerts, dismissAlert, watchAlerts, type Alert } from '../lib/alert-store.ts';
import styles from './alert.module.css';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import { kindIcons } from './kind-icons.tsx';

const FILL_AFTER_MS = 30;

function setLineTime(line: HTMLElement | null) {
  line?.style.setProperty('--alert-ms', `${ALERT_SHOWN_MS}ms`);
}

function AlertItem({ alert }: { alert: Alert }) {
  const urgent = alert.kind === 'danger' || alert.kind === 'warning';
  // Screen readers announce a live region only when its text changes, so the text follows the region.
  const [text, setText] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setText(alert.text), FILL_AFTER_MS);
    return () => clearTimeout(timer);
  }, [alert.text]);
  return (
    <div className={classNames(styles.alert, styles[alert.kind])}>
      {kindIcons[alert.kind]}
      <p
        className={styles.text}
        role={urgent ? 'alert' : 'status'}
        aria-live={urgent ? 'assertive' : 'polite'}
      >
        {text}
      </p>
      <button
        type="button"
        className={styles.close}
        aria-label={uiText.dismiss}
        onClick={() => dismissAlert(alert.id)}
      >
        <Icon d="M18 6 6 18M6 6l12 12" />
      </button>
      {/* Its style says when time stands still. */}
      <span className={styles.line} ref={setLineTime} onAnimationEnd={() => dismissAlert(alert.id)} />
    </div>
  );
}

/** Mount this once per page. `belowHeader` keeps alerts off the header of the signed-in area. */
export function AlertHost({ belowHeader = false }: { belowHeader?: boolean }) {
  const alerts = useSyncExternalStore(watchAlerts, currentAlerts, currentAlerts);
  return (
    // "off" keeps an open dialog from hiding the host. Each message is a live region of its own.
    <div aria-live="off" className={classNames(styles.host, belowHeader && styles.belowHeader)}>
      {alerts.map((alert) => (
        <AlertItem key={alert.id} alert={alert} />
      ))}
    </div>
  );
}
