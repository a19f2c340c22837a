import { verify } from '@node-rs/argon2';
import { describe, expect, test } from 'vitest';
import { Refusal } from '#contract/errors.ts';
import type { UserId } from '#contract/wire.ts';
import { type Keys, openKeys } from './keys.ts';
import { createPasswords, type SealedPassword, sealPassword } from './passwords.ts';

const keysOf = (...secretKeys: string[]) => openKeys({ secretKeys, dataDir: '/nowhere' });
const older = keysOf('an-older-secret-of-32-characters');
const newer = keysOf('a-newer-secret-with-32-characters');
const passwordsOf = (keys: Keys) => createPasswords(keys, { hashConcurrency: 2 });
const passwords = passwordsOf(older);
const MAYA = 7 as UserId;

async function phcOf(password: string): Promise<string> {
  const phc = await passwords.hash(password, 'a');
  if (phc instanceof Refusal) throw new Error(phc.name);
  return phc;
}
const stored = async (password: string): Promise<SealedPassword> => ({
  owner: MAYA,
  sealed: sealPassword(older, MAYA, await phcOf(password)),
});

describe('hash and match', () => {
  test('a hash is plain argon2id at the recommended cost, salted, and other products can check it', async () => {
    const [one, two] = await Promise.all([phcOf('correct horse'), phcOf('correct horse')]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(two);
    expect(await verify(one, 'correct horse')).toBe(true);
  });

  test('a stored password reveals nothing without SECRET_KEY, and serves its own account alone (D14)', async () => {
    const mine = await stored('correct horse');
    expect(Buffer.from(mine.sealed).toString('latin1')).not.toContain('argon2');
    await expect(passwords.matches('correct horse', { ...mine, owner: 8 as UserId }, 'a')).rejects.toThrow(
      'unable to authenticate',
    );
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
    expect(await passwords.matches(typed, await stored(password), 'a')).toBe(matches);
  });

  test('without a record nothing matches, not even the dummy password', async () => {
    for (const password of ['', 'anything', older[0].derive('dummy-password').toString('hex')])
      expect(await passwords.matches(password, undefined, 'a')).toBe(false);
  });
});

test('a password under an older key matches while that key is listed', async () => {
  const record = await stored('correct horse');
  const rotated = passwordsOf([newer[0], ...older]);
  expect(await rotated.matches('correct horse', record, 'a')).toBe(true);
  expect(await rotated.matches('wrong horse', record, 'a')).toBe(false);
  // An error that says what to do, never a plain mismatch.
  await expect(passwordsOf(newer).matches('correct horse', record, 'a')).rejects.toThrow(
    `no key ${older[0].id}: every process needs each key of SECRET_KEY that is in use`,
  );
});

test.each([
  ['$argon2id$v=19$m=19456,t=2,p=1$x', false],
  ['$argon2id$v=19$m=4096,t=2,p=1$x', true],
  ['$argon2id$v=19$m=19456,t=1,p=1$x', true],
  ['$argon2i$v=19$m=19456,t=2,p=1$x', true],
])('%s is outdated: %s', (phc, isOutdated) => {
  expect(passwords.isOutdated({ owner: MAYA, sealed: sealPassword(older, MAYA, phc) })).toBe(isOutdated);
});

test('hashing and matching share one queue, which refuses the next when 64 wait (M4)', async () => {
  const busy = createPasswords(older, { hashConcurrency: 0 });
  // Without a slot all 64 wait forever, so nothing is computed.
  for (let at = 0; at < 64; at += 1) void busy.hash('correct horse', 'a');
  expect(await busy.hash('correct horse', 'a')).toEqual(new Refusal('unavailable', { retryAfterSeconds: 2 }));
  expect(await busy.matches('correct horse', undefined, 'a')).toBeInstanceOf(Refusal);
});
