import { expect, test } from 'vitest';
import { sessionsText } from '#words/sessions.ts';
import { browserWords } from './browser-words.ts';

test.each([
  ['Chrome', 'Linux', 'Chrome on Linux'],
  ['Chrome', 'Unknown', 'Chrome'],
  ['Unknown', 'Linux', 'an unknown browser on Linux'],
  ['Unknown', 'Unknown', 'an unknown browser'],
])('%s and %s are called “%s”', (browser, system, words) =>
  expect(browserWords({ browser, system })).toBe(words),
);

test('a list uses words of its own', () => {
  expect(browserWords({ browser: 'Unknown', system: 'iOS' }, sessionsText.browsers)).toBe(
    'Unknown browser On iOS',
  );
});
