import { expect, test } from 'vitest';
import { whileBusy } from './while-busy.ts';

test('it is busy until the act is done', async () => {
  const events: unknown[] = [];
  await whileBusy(
    (busy) => events.push(busy),
    async () => void events.push('done'),
  );
  expect(events).toEqual([true, 'done', false]);
});

test('it stops being busy when the act fails, and passes the failure on', async () => {
  const states: boolean[] = [];
  const failing = whileBusy(
    (busy) => void states.push(busy),
    () => Promise.reject(new Error('no storage')),
  );
  await expect(failing).rejects.toThrow('no storage');
  expect(states).toEqual([true, false]);
});
