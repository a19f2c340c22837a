import { expect, test } from 'vitest';
import { ACTION, ACTIVITY_TYPE } from '#contract/activity/calls.ts';
import { plainSentence, tell } from '#contract/activity/words.ts';

const MAYA = 7;
const address = 'https://hooks.example/';

test.each<[action: keyof typeof ACTION, information: Record<string, unknown>, sentence: string]>([
  ['create', { url: [null, address] }, `added the webhook ${address}`],
  ['update', { events: ['', 'member.joined'] }, `changed the webhook ${address}`],
  ['update', { paused: [false, true] }, `paused the webhook ${address}`],
  ['update', { paused: [true, false] }, `resumed the webhook ${address}`],
  ['update', { sent: 'test' }, `sent the event test to the webhook ${address}`],
  ['change', { former_secret_ends: 'x' }, `made a new secret for the webhook ${address}`],
  ['delete', { url: [address, null] }, `removed the webhook ${address}`],
])('%s %j reads “… %s”', (action, information, sentence) => {
  const row = {
    userId: MAYA,
    recordId: 1,
    activityType: ACTIVITY_TYPE.webhook,
    action: ACTION[action],
    information: { webhook: address, ...information },
  };
  expect(plainSentence(tell(row, { [MAYA]: 'Maya Lindqvist' }))).toBe(`Maya Lindqvist ${sentence}`);
});

test('the portal switches off a failing webhook', () => {
  const row = {
    userId: 0,
    recordId: 1,
    activityType: ACTIVITY_TYPE.webhook,
    action: ACTION.update,
    information: { webhook: address, switched_off: [false, true], reason: 'answered with 410' },
  };
  expect(plainSentence(tell(row, {}))).toBe(
    `Portico switched off the webhook ${address}, because it answered with 410`,
  );
});
