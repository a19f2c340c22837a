import { createHmac, createSecretKey, hash, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '#server/config.ts';

/** The secret of the installation, split by purpose; `id` names it in rows without telling it. */
type Key = { readonly id: string; derive(purpose: string): Buffer };

/** The current key first; older ones still verify what they sealed. */
export type Keys = readonly [Key, ...Key[]];

const keyFrom = (secret: string): Key => {
  const derived = new Map<string, Buffer>();
  const derive = (purpose: string) => {
    const known = derived.get(purpose) ?? Buffer.from(hkdfSync('sha256', secret, 'portico', purpose, 32));
    derived.set(purpose, known);
    return known;
  };
  return { id: derive('key-id').subarray(0, 4).toString('hex'), derive };
};

/** The keys of SECRET_KEY, or one made on the first start and kept in the data folder. */
export function openKeys(config: Pick<Config, 'secretKeys' | 'dataDir'>): Keys {
  const [first, ...rest] = (config.secretKeys ?? [keptSecret(config.dataDir)]).map(keyFrom);
  if (!first) throw new Error('no secret key');
  return [first, ...rest];
}

function keptSecret(dataDir: string): string {
  const file = path.join(dataDir, 'secret');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (!existsSync(file)) {
    // Written beside and linked into place: it is there whole or not at all, and of two first starts one's counts.
    const own = `${file}.${process.pid}`;
    writeFileSync(own, randomBytes(32).toString('base64url'), { mode: 0o600 });
    try {
      linkSync(own, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    rmSync(own);
  }
  const secret = readFileSync(file, 'utf8');
  if (secret.length < 32) throw new Error(`${file} is cut short: bring it back from a backup`);
  return secret;
}

export const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer');

/** Keys as the library holds them: made anew at each use, they took five times as long as what they are for. */
const held = new WeakMap<Buffer, KeyObject>();
export function mac(key: Buffer, text: string): Buffer {
  const object = held.get(key) ?? createSecretKey(key);
  held.set(key, object);
  return createHmac('sha256', object).update(text).digest();
}

/** 256 random bits as base64url: session cookies. */
export const randomToken = () => randomBytes(32).toString('base64url');

/**
 * What a one-time digest is made of. A mail in the outbox carries only this seed; the digest itself is made
 * when the mail leaves, so neither the outbox nor a copy of the database opens anything.
 */
export type DigestSeed = { readonly purpose: string; readonly nonce: string; readonly keyId: string };

export const newDigestSeed = ([key]: Keys, purpose: string): DigestSeed => ({
  purpose,
  nonce: randomBytes(24).toString('base64url'),
  keyId: key.id,
});

/** The digest of a seed, as it stands in a mailed link; 256 bits as base64url. */
export function digestFrom(keys: Keys, seed: DigestSeed): string {
  const key = keys.find((candidate) => candidate.id === seed.keyId);
  if (!key) throw new Error(`no key ${seed.keyId}: keep older keys behind the newest one in SECRET_KEY`);
  return mac(key.derive('one-time-digest'), `${seed.purpose}:${seed.nonce}`).toString('base64url');
}

/** The six digits that a seed stands for; as even as digits of 48 bits can be. */
export function codeFrom(keys: Keys, seed: DigestSeed): string {
  const bits = Buffer.from(digestFrom(keys, seed), 'base64url').readUIntBE(0, 6);
  return String(bits % 1_000_000).padStart(6, '0');
}

/** What is stored of a code: a keyed hash, since six digits alone are found by trying them all. */
export const codeHash = ([key]: Keys, door: string, code: string) =>
  mac(key.derive('code'), `${door}:${code}`);
