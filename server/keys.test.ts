import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { UserId } from '#contract/wire.ts';
import {
  digestFrom,
  isPerson,
  type Keys,
  mac,
  newDigestSeed,
  openKeys,
  personOf,
  randomToken,
  sha256,
} from './keys.ts';

const keysOf = (...secretKeys: string[]) => openKeys({ secretKeys, dataDir: '/nowhere' });
const older = 'an-older-secret-of-32-characters';
const newer = 'a-newer-secret-with-32-characters';
const derived = ([key]: Keys, purpose = 'p') => key.derive(purpose).toString('hex');

describe('keys of SECRET_KEY', () => {
  test('are the same on every start, in the order given', () => {
    expect(keysOf(older).map(({ id }) => id)).toEqual(keysOf(older).map(({ id }) => id));
    expect(keysOf(newer, older).map(({ id }) => id)).toEqual([keysOf(newer)[0].id, keysOf(older)[0].id]);
    expect(derived(keysOf(older))).toBe(derived(keysOf(older)));
  });

  test('differ by secret and purpose, and an id reveals nothing of them', () => {
    const purposes = ['p', 'q', 'password-pepper', 'one-time-digest', 'key-id', ''];
    const all = [keysOf(older), keysOf(newer)].flatMap((keys) =>
      purposes.map((purpose) => derived(keys, purpose)),
    );
    expect(new Set(all).size).toBe(12);
    expect(all.every((text) => /^[0-9a-f]{64}$/.test(text))).toBe(true);
    expect(keysOf(older)[0].id).toMatch(/^[0-9a-f]{8}$/);
    expect(keysOf(older)[0].id).not.toBe(keysOf(newer)[0].id);
  });

  test('an empty list is refused', () => expect(() => keysOf()).toThrow('no secret key'));
});

describe('the secret in the data folder', () => {
  let folder: string;
  beforeEach(() => void (folder = mkdtempSync(path.join(tmpdir(), 'keys-'))));
  afterEach(() => rmSync(folder, { recursive: true }));
  const open = () => openKeys({ secretKeys: null, dataDir: path.join(folder, 'data') });
  const file = () => path.join(folder, 'data', 'secret');

  test('is made once, and every later start uses it', () => {
    const first = open();
    const text = readFileSync(file(), 'utf8');
    expect(text).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(derived(open())).toBe(derived(first));
    expect(readFileSync(file(), 'utf8')).toBe(text);
    expect(readdirSync(path.dirname(file()))).toEqual(['secret']);
    expect(derived(openKeys({ secretKeys: [text], dataDir: '/nowhere' }))).toBe(derived(first));
  });

  test('differs from folder to folder', () => {
    const other = openKeys({ secretKeys: null, dataDir: path.join(folder, 'other') });
    expect(derived(open())).not.toBe(derived(other));
  });

  test('is readable by its owner only', () => {
    open();
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(file())).mode & 0o777).toBe(0o700);
  });

  test.each(['', 'short', 'x'.repeat(31)])('is refused if it is cut short to %j', (text) => {
    open();
    writeFileSync(file(), text);
    expect(open).toThrow(/secret is cut short/);
  });

  test('cannot be written into an unusable folder, which is an error', () => {
    writeFileSync(path.join(folder, 'data'), '');
    expect(open).toThrow(/EEXIST|ENOTDIR/);
  });

  test('is not made if SECRET_KEY is set', () => {
    openKeys({ secretKeys: [older], dataDir: path.join(folder, 'data') });
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('one-time digests', () => {
  const keys = keysOf(older);
  const seed = newDigestSeed(keys, 'verify-email');

  test('a seed names its purpose and key, and each is unique', () => {
    expect(seed).toEqual({ purpose: 'verify-email', nonce: expect.any(String) as string, keyId: keys[0].id });
    expect(new Set(Array.from({ length: 100 }, () => newDigestSeed(keys, 'x').nonce)).size).toBe(100);
    expect(Buffer.from(seed.nonce, 'base64url')).toHaveLength(24);
  });

  test('a digest depends only on seed and key, and is not part of the seed', () => {
    const digest = digestFrom(keys, seed);
    expect(digest).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(digestFrom(keysOf(older), { ...seed })).toBe(digest);
    expect(JSON.stringify(seed)).not.toContain(digest);
  });

  test('another purpose, nonce or key gives another digest', () => {
    const others = [
      { ...seed, purpose: 'set-password' },
      { ...seed, nonce: newDigestSeed(keys, 'x').nonce },
    ].map((other) => digestFrom(keys, other));
    const otherKey = digestFrom(keysOf(newer), { ...seed, keyId: keysOf(newer)[0].id });
    expect(new Set([digestFrom(keys, seed), ...others, otherKey]).size).toBe(4);
  });

  test('after a key rotation, old seeds still give their digest, and new seeds use the new key', () => {
    const rotated = keysOf(newer, older);
    expect(digestFrom(rotated, seed)).toBe(digestFrom(keys, seed));
    expect(newDigestSeed(rotated, 'x').keyId).toBe(keysOf(newer)[0].id);
  });

  test('without its key a seed gives no digest, and the error says what to do', () => {
    expect(() => digestFrom(keysOf(newer), seed)).toThrow(
      `no key ${seed.keyId}: every process needs each key`,
    );
  });
});

test('sha256 and mac match known values, and tokens are unique and 256 bits long', () => {
  expect(sha256('abc').toString('hex')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
  expect(sha256('ä').equals(sha256('a\u0308'))).toBe(false);
  // RFC 4231, test case 2.
  expect(mac(Buffer.from('Jefe'), 'what do ya want for nothing?').toString('hex')).toBe(
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  );
  const tokens = Array.from({ length: 100 }, randomToken);
  expect(new Set(tokens).size).toBe(100);
  expect(tokens.every((token) => Buffer.from(token, 'base64url').length === 32)).toBe(true);
});

describe('the pseudonym of a person', () => {
  const person = 7 as UserId;
  test('is unique per person, and reveals nothing of the id', () => {
    const names = [7, 8, 70].map((id) => personOf(keysOf(older), id as UserId));
    expect(new Set(names).size).toBe(3);
    expect(names.every((name) => /^[\w-]{22}$/.test(name))).toBe(true);
  });

  test('is known to every process in both rounds of a rotation, and valid as long as its key', () => {
    const before = personOf(keysOf(older), person);
    expect(personOf(keysOf(older, newer), person)).toBe(before);
    expect(isPerson(keysOf(older, newer), person, personOf(keysOf(newer, older), person))).toBe(true);
    expect(isPerson(keysOf(newer, older), person, personOf(keysOf(newer), person))).toBe(true);
    expect(isPerson(keysOf(newer), person, before)).toBe(false);
    expect(isPerson(keysOf(newer, older), 8 as UserId, before)).toBe(false);
  });
});
