import { createCipheriv } from 'node:crypto';
import type { Keys } from './keys.ts';

// Rows share a counter, so their distance would tell what others did. Ids leave through a keyed permutation of 48 bits.

type Kind = 'activity' | 'notification' | 'grant';

const HALF = 2 ** 24;
const BLOCK_BYTES = 16;
/** A Feistel network is a strong permutation from four rounds on. */
const ROUNDS = [0, 1, 2, 3, 4, 5, 6, 7] as const;

/** The round function for many halves at once, because each call of a cipher is slow. ECB keeps no state. */
function openPermutation(key: Buffer) {
  const aes = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
  return (round: number, halves: readonly number[]) => {
    const blocks = Buffer.alloc(halves.length * BLOCK_BYTES);
    for (const [at, half] of halves.entries()) {
      blocks.writeUInt32BE(round, at * BLOCK_BYTES);
      blocks.writeUInt32BE(half, at * BLOCK_BYTES + 4);
    }
    const mixed = aes.update(blocks);
    return halves.map((_, at) => mixed.readUIntBE(at * BLOCK_BYTES, 3));
  };
}

/** Where several keys are in use, a shown id names its own, because processes differ while keys rotate. */
const TAGGED_FROM = 2 ** 48;
const TAGS = 7;
const tagOf = (key: Keys[0]) => 1 + (Number.parseInt(key.id, 16) % TAGS);

const permutations = new WeakMap<Buffer, ReturnType<typeof openPermutation>>();
function permutationOf(of: Keys[0], kind: Kind) {
  const key = of.derive(`${kind}-id`);
  const permutation = permutations.get(key) ?? openPermutation(key);
  permutations.set(key, permutation);
  return permutation;
}

/** The rows with the ids that clients see, up to 2^51. */
export function hideIds<Row extends { readonly id: number }>(keys: Keys, kind: Kind, rows: readonly Row[]) {
  const mix = permutationOf(keys[0], kind);
  const from = 1 + (keys.length > 1 ? tagOf(keys[0]) * TAGGED_FROM : 0);
  let [left, right] = [rows.map(({ id }) => Math.floor(id / HALF)), rows.map(({ id }) => id % HALF)];
  for (const round of ROUNDS) {
    const mixed = mix(round, right);
    [left, right] = [right, left.map((half, at) => half ^ (mixed[at] ?? 0))];
  }
  return rows.map((row, at): Row => ({ ...row, id: from + (left[at] ?? 0) * HALF + (right[at] ?? 0) }));
}

/** The stored id. An id that the server never showed becomes a random one. */
export function revealId<Id extends number>(keys: Keys, kind: Kind, shown: Id): Id {
  const tag = Math.floor((shown - 1) / TAGGED_FROM);
  const mix = permutationOf(keys.find((key) => tagOf(key) === tag) ?? keys[0], kind);
  let [left, right] = [Math.floor((shown - 1) / HALF) % HALF, (shown - 1) % HALF];
  for (const round of ROUNDS.toReversed()) [left, right] = [right ^ (mix(round, [left])[0] ?? 0), left];
  return (left * HALF + right) as Id;
}
