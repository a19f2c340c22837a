import { afterEach, expect, test, vi } from 'vitest';
import { currentAlerts, dismissAlert, showAlert, watchAlerts } from './alert-store.ts';

const texts = () => currentAlerts().map((alert) => alert.text);

afterEach(() => {
  for (const alert of currentAlerts()) dismissAlert(alert.id);
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

test('the same message again replaces the older one', () => {
  const first = showAlert({ kind: 'warning', text: 'No changes' });
  expect(showAlert({ kind: 'warning', text: 'No changes' })).not.toBe(first);
  expect(texts()).toEqual(['No changes']);
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
