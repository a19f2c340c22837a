import { expect, test } from 'vitest';
import { ACTION, ACTIVITY_TYPE } from '#contract/activity/calls.ts';
import { plainSentence, tell } from '#contract/activity/words.ts';

const MAYA = 7;
type Case = [information: Record<string, unknown>, sentence: string];
const cases = {
  passkey: {
    create: [[{ passkey: [null, '1Password'] }, 'Maya Lindqvist added a passkey']],
    update: [[{ passkey: ['Passkey', 'Laptop'] }, 'Maya Lindqvist renamed a passkey from Passkey to Laptop']],
    delete: [[{ passkey: ['Laptop', null] }, 'Maya Lindqvist removed a passkey']],
  },
  authenticatorApp: {
    create: [[{ mfa_enabled: [false, true] }, 'Maya Lindqvist set up an authenticator app']],
    delete: [[{}, 'Maya Lindqvist removed their authenticator app']],
  },
  recoveryCode: {
    create: [[{}, 'Maya Lindqvist made new recovery codes']],
    change: [[{ left: [10, 9] }, 'Maya Lindqvist used a recovery code']],
  },
  rememberedBrowser: {
    create: [
      [
        { browser: [null, 'Firefox'], system: [null, 'Linux'] },
        'Maya Lindqvist let Firefox on Linux sign in without a second step',
      ],
    ],
    delete: [
      [
        { browser: ['Firefox', null], system: ['Linux', null] },
        'Maya Lindqvist asked Firefox on Linux for a second step again',
      ],
      [{}, 'Maya Lindqvist asked all browsers for a second step again'],
    ],
  },
} satisfies Record<string, Record<string, Case[]>>;

const rows = Object.entries<Record<string, Case[]>>(cases).flatMap(([type, acts]) =>
  Object.entries(acts).flatMap(([action, samples]) =>
    samples.map(([information, sentence]) => ({ type, action, information, sentence })),
  ),
);

test.each(rows)('$sentence', ({ type, action, information, sentence }) => {
  const row = {
    userId: MAYA,
    recordId: MAYA,
    activityType: ACTIVITY_TYPE[type as keyof typeof ACTIVITY_TYPE],
    action: ACTION[action as keyof typeof ACTION],
    information,
  };
  expect(plainSentence(tell(row, { [MAYA]: 'Maya Lindqvist' }))).toBe(sentence);
});
