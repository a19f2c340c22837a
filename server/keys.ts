import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { OTP_CHARACTERS } from '#contract/limits.ts';
import type { UserId } from '#contract/wire.ts';
import type { Config } from './config.ts';

/** A secret of the installation, from which keys per purpose are derived; rows name it by `id`. */
type Key = { readonly id: string; derive(purpose: string): Buffer };

/** The current key first; older keys still verify what they signed. */
export type Keys = readonly [Key, ...Key[]];

const keyFrom = (secret: string): Key => {
  const derived = new Map<string, Buffer>();
  // The salt 'portico' stays even if the product is renamed: another one would change every key.
  const derive = (purpose: string) => {
    const key = derived.get(purpose) ?? Buffer.from(hkdfSync('sha256', secret, 'portico', purpose, 32));
    derived.set(purpose, key);
    return key;
  };
  return { id: derive('key-id').subarray(0, 4).toString('hex'), derive };
};

/** The keys of SECRET_KEY, or one that the first start creates in the data folder. */
export function openKeys(config: Pick<Config, 'secretKeys' | 'dataDir'>): Keys {
  const [first, ...rest] = (config.secretKeys ?? [storedSecret(config.dataDir)]).map(keyFrom);
  if (!first) throw new Error('no secret key');
  return [first, ...rest];
}

function storedSecret(dataDir: string): string {
  const file = path.join(dataDir, 'secret');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (!existsSync(file)) {
    // Written to its own file and then linked, so that it is whole and two concurrent starts agree on one.
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

/** A cache, because creating a KeyObject takes five times as long as the hash itself. */
const keyObjects = new WeakMap<Buffer, KeyObject>();
export function mac(key: Buffer, text: string): Buffer {
  const object = keyObjects.get(key) ?? createSecretKey(key);
  keyObjects.set(key, object);
  return createHmac('sha256', object).update(text).digest();
}

const KEY_ID_BYTES = 4;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The account or address that a secret is sealed for. A copy in another row does not open. */
type Owner = UserId | string;

/** Encrypts a secret for the database with the newest key: key id, IV, tag and AES-256-GCM text. */
export function seal([key]: Keys, purpose: string, text: string, owner: Owner = ''): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key.derive(`seal ${purpose}`), iv);
  cipher.setAAD(Buffer.from(String(owner)));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.from(key.id, 'hex'), iv, cipher.getAuthTag(), body]);
}

/** Decrypts what `seal` made for the same purpose and owner under any key in use; throws on anything else. */
export function unseal(keys: Keys, purpose: string, sealed: Uint8Array, owner: Owner = ''): string {
  const bytes = Buffer.from(sealed);
  const key = keyNamed(keys, keyIdOf(bytes));
  const [tagAt, bodyAt] = [KEY_ID_BYTES + IV_BYTES, KEY_ID_BYTES + IV_BYTES + TAG_BYTES];
  const decipher = createDecipheriv(
    'aes-256-gcm',
    key.derive(`seal ${purpose}`),
    bytes.subarray(KEY_ID_BYTES, tagAt),
  );
  decipher.setAAD(Buffer.from(String(owner)));
  decipher.setAuthTag(bytes.subarray(tagAt, bodyAt));
  return Buffer.concat([decipher.update(bytes.subarray(bodyAt)), decipher.final()]).toString('utf8');
}

/** A secret has a key that this process does not know, as while keys rotate. Another process may know it. */
export class UnknownKey extends Error {}

function keyNamed(keys: Keys, id: string): Key {
  const key = keys.find((candidate) => candidate.id === id);
  if (!key) throw new UnknownKey(`no key ${id}: every process needs each key of SECRET_KEY that is in use`);
  return key;
}

const keyIdOf = (sealed: Uint8Array) => Buffer.from(sealed.subarray(0, KEY_ID_BYTES)).toString('hex');

export const canUnseal = (keys: Keys, sealed: Uint8Array) => keys.some(({ id }) => id === keyIdOf(sealed));

/** 256 random bits as base64url, for session cookies. */
export const randomToken = () => randomBytes(32).toString('base64url');

/** A mail in the outbox carries the seed only, so no copy of the database contains a working digest. */
export type DigestSeed = { readonly purpose: string; readonly nonce: string; readonly keyId: string };

export const newDigestSeed = ([key]: Keys, purpose: string): DigestSeed => ({
  purpose,
  nonce: randomBytes(24).toString('base64url'),
  keyId: key.id,
});

/** The digest of a seed, as in a mailed link: 256 bits as base64url. */
export function digestFrom(keys: Keys, seed: DigestSeed): string {
  const key = keyNamed(keys, seed.keyId);
  return mac(key.derive('one-time-digest'), `${seed.purpose}:${seed.nonce}`).toString('base64url');
}

/** The code of a seed: 48 bits modulo the number of codes, so nearly uniform. */
export function codeFrom(keys: Keys, seed: DigestSeed): string {
  const bits = Buffer.from(digestFrom(keys, seed), 'base64url').readUIntBE(0, 6);
  return String(bits % 10 ** OTP_CHARACTERS).padStart(OTP_CHARACTERS, '0');
}

/** The stored form of a code. The hash is keyed, because a plain one of so few digits can be found by trial. */
export const codeHash = (key: Key, name: string, code: string) => mac(key.derive('code'), `${name}:${code}`);

const personBy = (key: Key, userId: UserId) =>
  mac(key.derive('person'), String(userId)).subarray(0, 16).toString('base64url');

/** Names a person to the pages drawn for them, without revealing their id. */
export const personOf = ([key]: Keys, userId: UserId) => personBy(key, userId);

/** Whether a page was drawn for this person, under any key in use. */
export const isPerson = (keys: Keys, userId: UserId, named: string) =>
  keys.some((key) => personBy(key, userId) === named);
