import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { Refusal, refuse } from '#contract/errors.ts';
import type { MediaType } from '#contract/drive/calls.ts';
import { PICTURE_MAX_MEGAPIXELS } from '#contract/limits.ts';
import { serverImagesText } from '#words/server-images.ts';
import type { UserId } from '#contract/wire.ts';
import { SECOND_MS } from './clock.ts';
import { boundedQueue } from './bounded-queue.ts';
import type { Caller } from '#server/http/gate.ts';
import { ipPrefix } from './ip-prefix.ts';
import type { ClientOrigin } from './origin.ts';

export type Picture<Type = MediaType> = { readonly bytes: Buffer; readonly mediaType: Type };
type Drawn<Type> = Picture<Type> | Refusal<'invalid_image' | 'unavailable'>;

export type Sender = {
  readonly userId: UserId | 'operator';
  readonly network: string;
  readonly confirmed: boolean;
};

export const operatorSender: Sender = { userId: 'operator', network: 'operator', confirmed: true };

export const senderOf = ({ caller, origin }: { caller: Caller; origin: ClientOrigin }): Sender => ({
  userId: caller.userId,
  confirmed: caller.confirmed,
  network: ipPrefix(origin.ipAddress),
});

export type Images = {
  /** Redraws a PNG or JPEG as a small square without metadata; refuses all other content, whatever its name. */
  square(bytes: Uint8Array, sender: Sender): Promise<Drawn<MediaType>>;
  /** Redraws a PNG, JPEG or WebP in its own shape as WebP, without metadata. */
  whole(bytes: Uint8Array, sender: Sender): Promise<Drawn<'image/webp'>>;
};

const worker = path.join(import.meta.dirname, 'image-worker.ts');
/** Exit codes of the worker (image-worker.ts). */
const EXIT = { notAPicture: 2, tooManyPixels: 3 };
const OUTPUT_MAX_BYTES = 4 * 2 ** 20;
const CORES = availableParallelism();
/** One picture per core, at most four of one person. Most need less than a second; the machine may be slow or busy. */
const defaultLimits = {
  atOnce: CORES,
  each: Math.max(1, CORES - 1),
  ofOnePerson: 4,
  waiting: 16,
  cpuMs: 4 * SECOND_MS,
  memoryBytes: 400 * 2 ** 20,
  limitMs: 15 * SECOND_MS,
};
type Limits = typeof defaultLimits;

const isWebp = (bytes: Uint8Array) =>
  /^RIFF[^]{4}WEBP/.test(Buffer.from(bytes.subarray(0, 12)).toString('latin1'));

/** The type by the first bytes; undefined for any other format. */
function mediaTypeOf(bytes: Uint8Array): MediaType | undefined {
  const start = Buffer.from(bytes.subarray(0, 8)).toString('hex');
  if (start === '89504e470d0a1a0a') return 'image/png';
  return start.startsWith('ffd8ff') ? 'image/jpeg' : undefined;
}

/** Networks take turns, and so do the people of each; 16 pictures wait, and the rest is refused. */
export function createImages(limits: Limits = defaultLimits): Images {
  const queue = boundedQueue(limits.atOnce, limits.waiting, { slotsEach: limits.each });
  // Nobody waits in this queue. It keeps a person with many networks from taking a turn in each.
  const personQueue = boundedQueue(Infinity, 0, { slotsEach: limits.ofOnePerson });
  const draw = (shape: 'square' | 'whole', bytes: Uint8Array, sender: Sender) => {
    const person = String(sender.userId);
    return personQueue(
      () => queue(() => redraw(shape, bytes, sender, limits), [sender.network, person]),
      person,
    );
  };
  return {
    square: async (bytes, sender) => {
      const mediaType = mediaTypeOf(bytes);
      if (!mediaType) return refuse('invalid_image');
      const drawn = await draw('square', bytes, sender);
      return drawn instanceof Refusal ? drawn : { bytes: drawn, mediaType };
    },
    whole: async (bytes, sender) => {
      if (!mediaTypeOf(bytes) && !isWebp(bytes)) return refuse('invalid_image');
      const drawn = await draw('whole', bytes, sender);
      return drawn instanceof Refusal ? drawn : { bytes: drawn, mediaType: 'image/webp' };
    },
  };
}

const megapixelsOf = ({ confirmed }: Sender) =>
  PICTURE_MAX_MEGAPIXELS[confirmed ? 'confirmed' : 'unconfirmed'];

function tooManyPixels(sender: Sender) {
  const text = serverImagesText[sender.confirmed ? 'tooManyPixels' : 'unconfirmed'];
  return refuse('invalid_image', { details: text({ megapixels: megapixelsOf(sender) }) });
}

const redraw = (
  shape: 'square' | 'whole',
  bytes: Uint8Array,
  sender: Sender,
  { cpuMs, memoryBytes, limitMs: timeout }: Limits,
) =>
  new Promise<Buffer | Refusal<'invalid_image'>>((resolve, reject) => {
    const maxima = [cpuMs * 1000, memoryBytes, megapixelsOf(sender) * 1_000_000];
    const child = execFile(
      process.execPath,
      [worker, shape, ...maxima.map(String)],
      // An empty environment, because ours contains secrets.
      { env: {}, timeout, killSignal: 'SIGKILL', maxBuffer: OUTPUT_MAX_BYTES, encoding: 'buffer' },
      (error, picture, stderr) => {
        if (!error) return resolve(picture);
        if (error.code === EXIT.tooManyPixels) return resolve(tooManyPixels(sender));
        // A signal means that the picture took too much, or crashed the worker.
        if (error.code === EXIT.notAPicture || error.signal) return resolve(refuse('invalid_image'));
        return reject(
          new Error(`the image worker failed: ${stderr.toString().slice(0, 500)}`, { cause: error }),
        );
      },
    );
    // The worker may exit before it has read stdin (EPIPE); its exit code decides.
    child.stdin?.on('error', () => undefined).end(bytes);
  });
