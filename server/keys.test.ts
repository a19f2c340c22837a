import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { digestFrom, type Keys, mac, newDigestSeed, openKeys, randomToken, sha256 } from '#server/keys.ts';

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

  test('differ by secret and purpose, and an id tells nothing of them', () => {
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

describe('the kept secret', () => {
  let folder: string;
  beforeEach(() => void (folder = mkdtempSync(path.join(tmpdir(), 'keys-'))));
  afterEach(() => rmSync(folder, { recursive: true }));
  const kept = () => openKeys({ secretKeys: null, dataDir: path.join(folder, 'data') });
  const file = () => path.join(folder, 'data', 'secret');

  test('is made once, and every later start has it', () => {
    const first = kept();
    const text = readFileSync(file(), 'utf8');
    expect(text).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(derived(kept())).toBe(derived(first));
    expect(readFileSync(file(), 'utf8')).toBe(text);
    expect(readdirSync(path.dirname(file()))).toEqual(['secret']);
    expect(derived(openKeys({ secretKeys: [text], dataDir: '/nowhere' }))).toBe(derived(first));
  });

  test('is another one in another folder', () => {
    const other = openKeys({ secretKeys: null, dataDir: path.join(folder, 'other') });
    expect(derived(kept())).not.toBe(derived(other));
  });

  test.skipIf(process.platform === 'win32')('is for its owner alone', () => {
    kept();
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(file())).mode & 0o777).toBe(0o700);
  });

  test.each(['', 'short', 'x'.repeat(31)])('cut short to %j, it is refused, never used', (text) => {
    kept();
    writeFileSync(file(), text);
    expect(kept).toThrow(/secret is cut short/);
  });

  test('a folder that can’t be used is an error', () => {
    writeFileSync(path.join(folder, 'data'), '');
    expect(kept).toThrow(/EEXIST|ENOTDIR/);
  });

  test('is not made where SECRET_KEY is set', () => {
    openKeys({ secretKeys: [older], dataDir: path.join(folder, 'data') });
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('one-time digests', () => {
  const keys = keysOf(older);
  const seed = newDigestSeed(keys, 'verify-email');

  test('a seed names its purpose and key, and no two are alike', () => {
    expect(seed).toEqual({ purpose: 'verify-email', nonce: expect.any(String) as string, keyId: keys[0].id });
    expect(new Set(Array.from({ length: 100 }, () => newDigestSeed(keys, 'x').nonce)).size).toBe(100);
    expect(Buffer.from(seed.nonce, 'base64url')).toHaveLength(24);
  });

  test('a digest follows from its seed alone: 256 bits that are not in it', () => {
    const digest = digestFrom(keys, seed);
    expect(digest).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(digestFrom(keysOf(older), { ...seed })).toBe(digest);
    expect(JSON.stringify(seed)).not.toContain(digest);
  });

  test('another purpose, nonce or key gives another one', () => {
    const others = [
      { ...seed, purpose: 'set-password' },
      { ...seed, nonce: newDigestSeed(keys, 'x').nonce },
    ].map((other) => digestFrom(keys, other));
    const otherKey = digestFrom(keysOf(newer), { ...seed, keyId: keysOf(newer)[0].id });
    expect(new Set([digestFrom(keys, seed), ...others, otherKey]).size).toBe(4);
  });

  test('after a new key came, older seeds still give their digest, and new ones are of the new key', () => {
    const rotated = keysOf(newer, older);
    expect(digestFrom(rotated, seed)).toBe(digestFrom(keys, seed));
    expect(newDigestSeed(rotated, 'x').keyId).toBe(keysOf(newer)[0].id);
  });

  test('without its key there is none, and the error says what to do', () => {
    expect(() => digestFrom(keysOf(newer), seed)).toThrow(
      `no key ${seed.keyId}: keep older keys behind the newest one`,
    );
  });
});

test('sha256, mac and tokens are what their names say', () => {
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
