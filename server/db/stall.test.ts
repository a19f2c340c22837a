import { expect, test, vi } from 'vitest';
import { STALLED } from '#server/db/constraints.ts';
import { stall } from '#server/db/stall.ts';

test('from the first commit that was not answered until one is, everybody is turned away', async () => {
  const answers = [false, false, true];
  const isAnswered = vi.fn<() => Promise<boolean>>(async () => answers.shift() ?? true);
  const stalled = stall(isAnswered, 1);
  expect([stalled.check(), stalled.isOn()]).toEqual([undefined, false]);
  stalled.begin();
  // Those that had begun before tell the same.
  stalled.begin();
  expect(() => stalled.check()).toThrow(STALLED);
  await vi.waitUntil(() => !stalled.isOn());
  expect([stalled.check(), isAnswered.mock.calls.length]).toEqual([undefined, 3]);
});
