import { expect, test } from 'vitest';
import { readConfig, WrongEnvironment } from '#server/config.ts';

const problemsOf = (environment: Record<string, string>) => {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    return (error as WrongEnvironment).problems;
  }
};

test.for([
  [{}, null],
  [{ METRICS_TOKEN: ' ' }, null],
  [{ METRICS_TOKEN: 'sixteen-letters!' }, 'sixteen-letters!'],
] as const)('%j: the metrics token is %j', ([environment, token]) => {
  expect(readConfig(environment).metricsToken).toBe(token);
});

test.for(['fifteen-letter!', 'sixteen letters!', 'sechzehn-zeichenä'])('METRICS_TOKEN refuses %j', (text) => {
  expect(problemsOf({ METRICS_TOKEN: text })).toEqual([
    'METRICS_TOKEN: got something else, takes 16 characters or more without spaces',
  ]);
});

test.for([
  [{}, 0],
  [{ NODE_ENV: 'production' }, 5],
  [{ NODE_ENV: 'production', DRAIN_SECONDS: '0' }, 0],
  [{ DRAIN_SECONDS: '600' }, 600],
] as const)('%j: %d seconds to drain', ([environment, seconds]) => {
  expect(readConfig(environment).drainSeconds).toBe(seconds);
});

test.for(['601', '-1', '1.5', 'long'])('DRAIN_SECONDS refuses %j', (text) => {
  expect(problemsOf({ DRAIN_SECONDS: text })).toEqual([
    `DRAIN_SECONDS: got "${text}", takes a whole number from 0 to 600`,
  ]);
});
