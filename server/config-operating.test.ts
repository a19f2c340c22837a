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

test('KNOWN_NETWORKS takes addresses and networks, of IPv6 only /64 and larger, as limits count them', () => {
  const text = '203.0.113.7, 198.51.100.0/24, 2001:db8::/64';
  expect(readConfig({ KNOWN_NETWORKS: text }).knownNetworks).toEqual(text.split(', '));
  for (const refused of ['office', '::1', '2001:db8::/65'])
    expect(problemsOf({ KNOWN_NETWORKS: refused })).toEqual([
      `KNOWN_NETWORKS: got "${refused}", takes addresses or networks, comma-separated, such as 203.0.113.7, 2001:db8:1::/48`,
    ]);
});
