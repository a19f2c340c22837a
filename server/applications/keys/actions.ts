import { generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { lockKeys, insertKey, listKeys, retireKeys } from '#server/applications/keys/data.ts';
import { fromNow, HOUR_MS } from '#server/clock.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { SigningAlgorithm } from '#server/db/application-tables.ts';
import type { Deps } from '#server/deps.ts';
import { seal, unseal } from '#server/keys.ts';

const PURPOSE = 'oidc-keys';
const ALGORITHMS = ['ES256', 'RS256'] as const;
/** Clients see a new key this long before it signs, so that they have fetched it by then. */
const PUBLISHED_BEFORE_MS = 24 * HOUR_MS;
/** A token outlives the key that signed it by less than this. */
const RETIRED_AFTER_MS = HOUR_MS;

const makePair = promisify(generateKeyPair);
async function newKey(algorithm: SigningAlgorithm): Promise<object> {
  const { privateKey } =
    algorithm === 'ES256'
      ? await makePair('ec', { namedCurve: 'P-256' })
      : await makePair('rsa', { modulusLength: 2048 });
  return privateKey.export({ format: 'jwk' });
}

/** A private JWK with the time from which it signs. */
export type SigningKey = { readonly kid: string; readonly signsFrom: Date; readonly jwk: object };

async function publishKey(tx: Tx, deps: Deps, algorithm: SigningAlgorithm, signsFrom: Date) {
  const kid = randomBytes(12).toString('base64url');
  const jwk = { ...(await newKey(algorithm)), kid, alg: algorithm, use: 'sig' };
  const sealed = seal(deps.keys, PURPOSE, JSON.stringify(jwk));
  await insertKey(tx, { kid, algorithm, sealed, now: deps.clock.now(), signsFrom });
  return kid;
}

/** The published keys, newest first. The first process of a site makes the first ones, which sign at once. */
export async function openSigningKeys(deps: Deps): Promise<SigningKey[]> {
  const rows = await listKeys(deps.sql, deps.clock.now());
  if (rows.length > 0) return rows.map((row) => toKey(deps, row));
  return transaction(deps.sql, async (tx) => {
    await lockKeys(tx);
    const now = deps.clock.now();
    if ((await listKeys(tx, now)).length === 0)
      for (const algorithm of ALGORITHMS) await publishKey(tx, deps, algorithm, now);
    return (await listKeys(tx, now)).map((row) => toKey(deps, row));
  });
}

const toKey = (
  { keys }: Deps,
  { kid, signs_from, sealed_key }: { kid: string; signs_from: Date; sealed_key: Uint8Array },
): SigningKey => ({
  kid,
  signsFrom: signs_from,
  jwk: JSON.parse(unseal(keys, PURPOSE, sealed_key)) as object,
});

/** Publishes new keys, which sign after a day; the older ones leave the published set an hour later. */
export const rotateSigningKeys = (deps: Deps): Promise<void> =>
  transaction(deps.sql, async (tx) => {
    await lockKeys(tx);
    const signsFrom = fromNow(deps.clock, PUBLISHED_BEFORE_MS);
    for (const algorithm of ALGORITHMS) {
      const kid = await publishKey(tx, deps, algorithm, signsFrom);
      await retireKeys(tx, algorithm, kid, fromNow(deps.clock, PUBLISHED_BEFORE_MS + RETIRED_AFTER_MS));
    }
  });
