import { expect, test } from 'vitest';
import { vouch } from './rules.ts';

const ACCOUNTS = {
  none: undefined,
  colleague: { address: 'ann@acme.example', isOfCompany: true },
  guest: { address: 'ann@private.example', isOfCompany: false },
  'without an address': { address: null, isOfCompany: false },
};
const SAID = {
  'its address': { address: 'ann@acme.example', failed: undefined, isOfAnother: false },
  'a new address': { address: 'new@acme.example', failed: undefined, isOfAnother: false },
  'a colleague’s address': { address: 'bob@acme.example', failed: undefined, isOfAnother: true },
  'its address, unverified': { address: 'ann@acme.example', failed: 'unverified', isOfAnother: false },
  'a private address': { address: 'ann@private.example', failed: 'otherDomain', isOfAnother: false },
  'somebody’s private address': { address: 'bob@private.example', failed: 'otherDomain', isOfAnother: true },
  'a guest of the tenant': { address: 'ann@acme.example', failed: 'guest', isOfAnother: false },
  'an account of another company': {
    address: 'ann@acme.example',
    failed: 'otherCompany',
    isOfAnother: false,
  },
  'no address': { address: null, failed: 'noAddress', isOfAnother: false },
} as const;

const unlinked: Record<keyof typeof SAID, readonly string[]> = {
  'its address': ['creates', 'waits', 'waits', 'waits'],
  'a new address': ['creates', 'otherPerson', 'waits', 'waits'],
  'a colleague’s address': ['creates', 'otherPerson', 'linkedElsewhere', 'linkedElsewhere'],
  'its address, unverified': ['unverified', 'unverified', 'waits', 'waits'],
  'a private address': ['otherDomain', 'otherDomain', 'waits', 'waits'],
  'somebody’s private address': ['otherDomain', 'otherDomain', 'linkedElsewhere', 'linkedElsewhere'],
  'a guest of the tenant': ['guest', 'guest', 'waits', 'waits'],
  'an account of another company': ['otherCompany', 'otherCompany', 'waits', 'waits'],
  'no address': ['noAddress', 'noAddress', 'waits', 'waits'],
};
const failureOrCourse = (course: ReturnType<typeof vouch>) =>
  typeof course === 'string' ? course : course.failed;

test.each(Object.entries(SAID))(
  '%s links an account of the company by its very address only',
  (name, said) => {
    const found = Object.values(ACCOUNTS).map((account) => failureOrCourse(vouch(said, account, 'none')));
    expect(found).toEqual(unlinked[name as keyof typeof SAID]);
  },
);

test.each(Object.entries(SAID))(
  '%s opens a linked account of the company only if it is vouched for',
  (_, said) => {
    const found = Object.values(ACCOUNTS).map((account) => failureOrCourse(vouch(said, account, 'own')));
    expect(found).toEqual([said.failed ?? 'creates', said.failed ?? 'opens', 'adds', 'adds']);
  },
);

test.each(Object.entries(SAID))(
  '%s opens an account that became the company’s after a guest linked it only by its very address',
  (name, said) => {
    const found = Object.values(ACCOUNTS).map((account) => failureOrCourse(vouch(said, account, 'guest')));
    const isItsOwn = name === 'its address';
    expect(found).toEqual([
      said.failed ?? 'creates',
      said.failed ?? (isItsOwn ? 'opens' : 'otherPerson'),
      'adds',
      'adds',
    ]);
  },
);
