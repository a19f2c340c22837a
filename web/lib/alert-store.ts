import { ALERTS_AT_ONCE } from '#contract/limits.ts';

export type AlertKind = 'success' | 'warning' | 'danger' | 'info';
export interface Alert {
  readonly id: number;
  readonly kind: AlertKind;
  readonly text: string;
  /** Its subject. A newer alert about the same subject replaces it. */
  readonly about?: string | undefined;
}
let alerts: readonly Alert[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function publish(next: readonly Alert[]) {
  alerts = next;
  for (const listener of listeners) listener();
}

/** Newest on top, in place of one with the same text or subject. Returns its id. */
export function showAlert({ kind, text, about }: Omit<Alert, 'id'>): number {
  lastId += 1;
  const isOutdated = (alert: Alert) =>
    (alert.text === text && alert.kind === kind) || (about !== undefined && alert.about === about);
  const others = alerts.filter((alert) => !isOutdated(alert));
  publish([{ id: lastId, kind, text, about }, ...others].slice(0, ALERTS_AT_ONCE));
  return lastId;
}

export const dismissAlert = (id: number) => publish(alerts.filter((alert) => alert.id !== id));

export const currentAlerts = () => alerts;

export function watchAlerts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
