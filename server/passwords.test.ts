import { describe, expect, test } from 'vitest';
import { Refusal } from '#contract/errors.ts';
import { openKeys } from '#server/keys.ts';
import { createPasswords, type PasswordRecord } from '#server/passwords.ts';

const passwordsOf = (...secretKeys: string[]) =>
  createPasswords(openKeys({ secretKeys, dataDir: '/nowhere' }), { hashConcurrency: 2 });
const older = 'an-older-secret-of-32-characters';
const newer = 'a-newer-secret-with-32-characters';
const passwords = passwordsOf(older);

async function hashed(password: string, by = passwords): Promise<PasswordRecord> {
  const record = await by.hash(password, 'a');
  if (record instanceof Refusal) throw new Error(record.name);
  return record;
}

describe('hash and match', () => {
  test('a record is argon2id at the recommended cost, salted, and names its key', async () => {
    const [one, two] = await Promise.all([hashed('correct horse'), hashed('correct horse')]);
    expect(one.phc).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one.phc).not.toBe(two.phc);
    expect(one.keyId).toBe(openKeys({ secretKeys: [older], dataDir: '/nowhere' })[0].id);
    expect(JSON.stringify(one)).not.toContain('correct');
  });

  const pairs: [name: string, password: string, typed: string, matches: boolean][] = [
    ['the same', 'correct horse', 'correct horse', true],
    ['another case', 'correct horse', 'Correct horse', false],
    ['a trailing space', 'correct horse', 'correct horse ', false],
    ['a part', 'correct horse', 'correct', false],
    ['nothing', 'correct horse', '', false],
    ['composed and decomposed letters', 'cafe\u0301-na\u00EFve', 'caf\u00E9-nai\u0308ve', true],
    ['full and half width', 'Ｐａｓｓ１２３４', 'Pass1234', true],
    ['a ligature and its letters', 'o\uFB03cial-x', 'official-x', true],
    ['an added accent', 'cafe-cafe', 'café-cafe', false],
    ['quotes, spaces and emoji', ' "\'<>🙂\t ', ' "\'<>🙂\t ', true],
    ['text after a NUL', 'abcd\u0000efgh', 'abcd\u0000xxxx', false],
    ['the last of 128 characters', `${'a'.repeat(127)}b`, `${'a'.repeat(127)}c`, false],
    ['128 emoji', '🙂'.repeat(128), '🙂'.repeat(128), true],
  ];
  test.each(pairs)('%s', async (_, password, typed, matches) => {
    expect(await passwords.matches(typed, await hashed(password), 'a')).toBe(matches);
  });

  test('without a record nothing matches, not even the dummy password', async () => {
    const [key] = openKeys({ secretKeys: [older], dataDir: '/nowhere' });
    for (const password of ['', 'anything', key.derive('dummy-password').toString('hex')])
      expect(await passwords.matches(password, undefined, 'a')).toBe(false);
  });
});

describe('after a key rotation', () => {
  test('a record of an older key still matches while that key is listed, and is outdated', async () => {
    const record = await hashed('correct horse');
    const rotated = passwordsOf(newer, older);
    expect(await rotated.matches('correct horse', record, 'a')).toBe(true);
    expect(await rotated.matches('wrong horse', record, 'a')).toBe(false);
    expect(rotated.isOutdated(record)).toBe(true);
    expect(passwords.isOutdated(record)).toBe(false);
    expect(rotated.isOutdated(await hashed('correct horse', rotated))).toBe(false);
  });

  test('the right password does not match under the pepper of another key', async () => {
    const record = await hashed('correct horse');
    const [{ id: keyId }] = openKeys({ secretKeys: [newer], dataDir: '/nowhere' });
    expect(await passwordsOf(newer).matches('correct horse', { ...record, keyId }, 'a')).toBe(false);
  });

  test('a record without its key is an error that says what to do, never a plain mismatch', async () => {
    const record = await hashed('correct horse');
    await expect(passwordsOf(newer).matches('correct horse', record, 'a')).rejects.toThrow(
      `no key ${record.keyId}: every process needs each key of SECRET_KEY that is in use`,
    );
  });

  test.each([
    '$argon2id$v=19$m=4096,t=2,p=1$x',
    '$argon2id$v=19$m=19456,t=1,p=1$x',
    '$argon2i$v=19$m=19456,t=2,p=1$x',
    '$2b$10$x',
  ])('%s is outdated', async (phc) => {
    const { keyId } = await hashed('x');
    expect(passwords.isOutdated({ phc, keyId })).toBe(true);
  });
});

test('hashing and matching share one queue, which refuses the next when 64 wait (M4)', async () => {
  const busy = createPasswords(openKeys({ secretKeys: [older], dataDir: '/nowhere' }), {
    hashConcurrency: 0,
  });
  // Without a slot all 64 wait forever, so nothing is computed.
  for (let at = 0; at < 64; at += 1) void busy.hash('correct horse', 'a');
  expect(await busy.hash('correct horse', 'a')).toEqual(new Refusal('unavailable', { retryAfterSeconds: 2 }));
  expect(await busy.matches('correct horse', undefined, 'a')).toBeInstanceOf(Refusal);
});
