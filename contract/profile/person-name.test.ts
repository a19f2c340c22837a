import { expect, test } from 'vitest';
import { personName } from '#contract/profile/person-name.ts';

test.each<[Parameters<typeof personName>, string]>([
  [['Ann', 'Lee', 'a@b.co'], 'Ann Lee'],
  [['Ann', '', 'a@b.co'], 'Ann'],
  [['', 'Lee', 'a@b.co'], 'Lee'],
  [['', '', 'a@b.co'], 'a@b.co'],
  [['', '', null], ''],
])('%j is called %j', (person, name) => {
  expect(personName(...person)).toBe(name);
});
