import { generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { deleteKeys, deleteRetiredKeys, insertKey, listKeys, lockKeys, retireKeys } from './data-keys.ts';
import type { SigningAlgorithm } from './tables.ts';
import { DAY_MS, fromNow, HOUR_MS } from '#server/clock.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { canUnseal, seal, unseal } from '#server/keys.ts';

export const SIGNING_KEY_SEAL = 'oidc-keys';
const ALGORITHMS = ['ES256', 'RS256'] as const;
/** Clients see a new key this long before it signs, so that they have fetched it by then. */
const PUBLISHED_BEFORE_MS = 24 * HOUR_MS;
/** A token outlives the key that signed it by less than this. */
const RETIRED_AFTER_MS = HOUR_MS;
/** The hourly sweep replaces a key of this age. */
const KEY_AGE_MAX_MS = 90 * DAY_MS;

const makePair = promisify(generateKeyPair);
async function newKey(algorithm: SigningAlgorithm): Promise<object> {
  const { privateKey } =
    algorithm === 'ES256'
      ? await makePair('ec', { namedCurve: 'P-256' })
      : await makePair('rsa', { modulusLength: 2048 });
  return privateKey.export({ format: 'jwk' });
}

/** A private JWK with the time from which it signs. */
export type SigningKey = {
  readonly kid: string;
  readonly signsFrom: Date;
  readonly jwk: { readonly alg: string };
};

async function publishKey(tx: Tx, deps: Deps, algorithm: SigningAlgorithm, signsFrom: Date) {
  const kid = randomBytes(12).toString('base64url');
  const jwk = { ...(await newKey(algorithm)), kid, alg: algorithm, use: 'sig' };
  const key = { kid, algorithm, sealed_key: seal(deps.keys, SIGNING_KEY_SEAL, JSON.stringify(jwk)) };
  await insertKey(tx, { ...key, created_at: deps.clock.now(), signs_from: signsFrom });
  return kid;
}

/** Newest first; the first process makes them. While SECRET_KEY rotates, keys that this process cannot open are left out. */
export async function openSigningKeys(deps: Deps): Promise<SigningKey[]> {
  const rows = await listKeys(deps.sql, deps.clock.now());
  const known = rows.filter(({ sealed_key }) => canUnseal(deps.keys, sealed_key));
  if (rows.length > 0) return (known.length > 0 ? known : rows).map((row) => toKey(deps, row));
  return transaction(deps.sql, async (tx) => {
    await lockKeys(tx);
    const now = deps.clock.now();
    if ((await listKeys(tx, now)).length === 0) await publishKeys(tx, deps, now);
    return (await listKeys(tx, now)).map((row) => toKey(deps, row));
  });
}

const toKey = (
  { keys }: Deps,
  { kid, signs_from, sealed_key }: { kid: string; signs_from: Date; sealed_key: Uint8Array },
): SigningKey => ({
  kid,
  signsFrom: signs_from,
  jwk: JSON.parse(unseal(keys, SIGNING_KEY_SEAL, sealed_key)) as SigningKey['jwk'],
});

async function publishKeys(tx: Tx, deps: Deps, signsFrom: Date) {
  const kids = [];
  for (const algorithm of ALGORITHMS) {
    const kid = await publishKey(tx, deps, algorithm, signsFrom);
    await retireKeys(tx, algorithm, kid, new Date(signsFrom.getTime() + RETIRED_AFTER_MS));
    kids.push(kid);
  }
  return kids;
}

/** They sign after a day, and older ones leave an hour later; first keys and those after a leak sign at once. */
export async function rotateSigningKeys(tx: Tx, deps: Deps, isAtOnce = false) {
  await lockKeys(tx);
  const now = deps.clock.now();
  const former = await listKeys(tx, now);
  if (isAtOnce) await deleteKeys(tx);
  const signsFrom = isAtOnce || former.length === 0 ? now : fromNow(deps.clock, PUBLISHED_BEFORE_MS);
  return { former: former.map(({ kid }) => kid), kids: await publishKeys(tx, deps, signsFrom), signsFrom };
}

export const sweepSigningKeys = (deps: Deps) =>
  transaction(deps.sql, async (tx) => {
    await lockKeys(tx);
    const now = deps.clock.now();
    await deleteRetiredKeys(tx, now);
    const [newest] = await listKeys(tx, now);
    if (newest && now.getTime() - newest.created_at.getTime() >= KEY_AGE_MAX_MS)
      await rotateSigningKeys(tx, deps);
  });
