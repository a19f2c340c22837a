import { ALERT_SHOWN_MS, ALERTS_AT_ONCE } from '#contract/limits.ts';

export type AlertKind = 'success' | 'warning' | 'danger' | 'info';
export interface Alert {
  readonly id: number;
  readonly kind: AlertKind;
  readonly text: string;
  /** Its subject. A newer alert about the same subject replaces it. */
  readonly about?: string | undefined;
}
interface Clock {
  timer: ReturnType<typeof setTimeout> | undefined;
  startedAt: number;
  leftMs: number;
}

let alerts: readonly Alert[] = [];
let paused = false;
let lastId = 0;
const clocks = new Map<number, Clock>();
const listeners = new Set<() => void>();

function publish(next: readonly Alert[]) {
  const ids = new Set(next.map((alert) => alert.id));
  for (const [id, clock] of clocks) {
    if (ids.has(id)) continue;
    clearTimeout(clock.timer);
    clocks.delete(id);
  }
  alerts = next;
  for (const listener of listeners) listener();
}

function run(id: number, clock: Clock) {
  clock.startedAt = Date.now();
  clock.timer = setTimeout(() => dismissAlert(id), clock.leftMs);
}

/** For `ALERT_SHOWN_MS`, newest on top, in place of one with the same text or subject. Returns its id. */
export function showAlert({ kind, text, about }: Omit<Alert, 'id'>): number {
  lastId += 1;
  const isOutdated = (alert: Alert) =>
    (alert.text === text && alert.kind === kind) || (about !== undefined && alert.about === about);
  const others = alerts.filter((alert) => !isOutdated(alert));
  const clock: Clock = { timer: undefined, startedAt: 0, leftMs: ALERT_SHOWN_MS };
  clocks.set(lastId, clock);
  publish([{ id: lastId, kind, text, about }, ...others].slice(0, ALERTS_AT_ONCE));
  if (!paused) run(lastId, clock);
  return lastId;
}

export function dismissAlert(id: number): void {
  const next = alerts.filter((alert) => alert.id !== id);
  // A removed alert fires no leave event, so the pause ends here.
  if (next.length === 0) paused = false;
  publish(next);
}

export function pauseAlerts(): void {
  if (paused) return;
  paused = true;
  for (const clock of clocks.values()) {
    clearTimeout(clock.timer);
    clock.leftMs -= Date.now() - clock.startedAt;
  }
  publish([...alerts]);
}

export function resumeAlerts(): void {
  if (!paused) return;
  paused = false;
  for (const [id, clock] of clocks) run(id, clock);
  publish([...alerts]);
}

export const currentAlerts = () => alerts;
export const alertsPaused = () => paused;

export function watchAlerts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
