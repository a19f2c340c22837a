import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ALERT_SHOWN_MS } from '#contract/limits.ts';
import {
  alertsPaused,
  currentAlerts,
  dismissAlert,
  pauseAlerts,
  resumeAlerts,
  showAlert,
  watchAlerts,
} from './alert-store.ts';

const texts = () => currentAlerts().map((alert) => alert.text);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  for (const alert of currentAlerts()) dismissAlert(alert.id);
  vi.useRealTimers();
});

test('an alert leaves after its time', () => {
  showAlert({ kind: 'success', text: 'Saved' });
  vi.advanceTimersByTime(ALERT_SHOWN_MS - 1);
  expect(texts()).toEqual(['Saved']);
  vi.advanceTimersByTime(1);
  expect(texts()).toEqual([]);
});

test('the newest alert is on top, and a fourth removes the oldest', () => {
  for (const text of ['one', 'two', 'three', 'four']) showAlert({ kind: 'info', text });
  expect(texts()).toEqual(['four', 'three', 'two']);
});

test('a newer alert about the same subject replaces the older one', () => {
  showAlert({ kind: 'success', text: 'It is on', about: 'lock' });
  showAlert({ kind: 'info', text: 'Saved' });
  showAlert({ kind: 'success', text: 'It is off', about: 'lock' });
  expect(texts()).toEqual(['It is off', 'Saved']);
});

test('the same message again replaces the older one and restarts its time', () => {
  showAlert({ kind: 'warning', text: 'No changes' });
  vi.advanceTimersByTime(4000);
  showAlert({ kind: 'warning', text: 'No changes' });
  vi.advanceTimersByTime(4000);
  expect(texts()).toEqual(['No changes']);
  vi.advanceTimersByTime(1000);
  expect(texts()).toEqual([]);
});

test('a pause keeps the remaining time', () => {
  showAlert({ kind: 'success', text: 'Saved' });
  vi.advanceTimersByTime(3000);
  pauseAlerts();
  vi.advanceTimersByTime(60_000);
  expect(texts()).toEqual(['Saved']);
  resumeAlerts();
  vi.advanceTimersByTime(1999);
  expect(texts()).toEqual(['Saved']);
  vi.advanceTimersByTime(1);
  expect(texts()).toEqual([]);
});

test('an alert shown during a pause waits for its end', () => {
  showAlert({ kind: 'info', text: 'first' });
  pauseAlerts();
  showAlert({ kind: 'info', text: 'second' });
  vi.advanceTimersByTime(ALERT_SHOWN_MS * 2);
  expect(texts()).toEqual(['second', 'first']);
  resumeAlerts();
  vi.advanceTimersByTime(ALERT_SHOWN_MS);
  expect(texts()).toEqual([]);
});

test('dismissing the last alert ends a pause, so the next one runs', () => {
  showAlert({ kind: 'danger', text: 'Failed' });
  pauseAlerts();
  dismissAlert(currentAlerts()[0]?.id ?? 0);
  expect(alertsPaused()).toBe(false);
  showAlert({ kind: 'danger', text: 'Failed again' });
  vi.advanceTimersByTime(ALERT_SHOWN_MS);
  expect(texts()).toEqual([]);
});

test('a watcher gets each change until it stops', () => {
  const heard = vi.fn<() => void>();
  const stop = watchAlerts(heard);
  showAlert({ kind: 'info', text: 'one' });
  expect(heard).toHaveBeenCalledTimes(1);
  stop();
  showAlert({ kind: 'info', text: 'two' });
  expect(heard).toHaveBeenCalledTimes(1);
});
