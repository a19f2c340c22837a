import { expect, test } from 'vitest';
import { ipPrefix, allocationOf } from './ip-prefix.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', 'unknown'],
  ['203.0.113', 'unknown'],
  ['203.0.113.7, 10.0.0.1', 'unknown'],
  ['evil', 'unknown'],
])('%o counts as %o (M1)', (address, prefix) => {
  expect(ipPrefix(address)).toBe(prefix);
});

test.each([
  ['2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8:1:ffff::/64', '2001:db8:1::/48'],
  ['2001:db8:0:0::/64', '2001:db8:0::/48'],
  ['203.0.113.7', undefined],
  ['unknown', undefined],
])('the /48 of %o is %o (M1)', (prefix, allocation) => {
  expect(allocationOf(prefix)).toBe(allocation);
});
