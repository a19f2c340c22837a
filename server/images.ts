import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { refuse, type Refusal } from '#contract/errors.ts';
import type { MediaType } from '#contract/drive.ts';
import { SECOND_MS } from '#server/clock.ts';
import { boundedQueue } from '#server/bounded-queue.ts';

export type Picture = { readonly bytes: Buffer; readonly mediaType: MediaType };

export type Images = {
  /** Draws a PNG or JPEG anew as a small square without metadata; anything else is refused, whatever it is called. */
  square(bytes: Uint8Array): Promise<Picture | Refusal<'invalid_image' | 'unavailable'>>;
};

const worker = path.join(import.meta.dirname, 'image-worker.ts');
const OUTPUT_MAX_BYTES = 4 * 2 ** 20;
/** A picture may have five seconds of a core; a machine with much to do may take its time for them. */
const bounds = { atOnce: availableParallelism(), waiting: 16, cpuMs: 5 * SECOND_MS, limitMs: 15 * SECOND_MS };

/** Which of the two kinds the first bytes are; undefined for everything else. */
function mediaTypeOf(bytes: Uint8Array): MediaType | undefined {
  const start = Buffer.from(bytes.subarray(0, 8)).toString('hex');
  if (start === '89504e470d0a1a0a') return 'image/png';
  return start.startsWith('ffd8ff') ? 'image/jpeg' : undefined;
}

/** Pictures are redrawn in a process each, one a core at once; 16 wait, the rest is refused. */
export function createImages({ atOnce, waiting, cpuMs, limitMs } = bounds): Images {
  const queue = boundedQueue(atOnce, waiting);
  return {
    square: async (bytes) =>
      mediaTypeOf(bytes) ? queue(() => redraw(bytes, cpuMs, limitMs)) : refuse('invalid_image'),
  };
}

const redraw = (bytes: Uint8Array, cpuMs: number, timeout: number) =>
  new Promise<Picture | Refusal<'invalid_image'>>((resolve, reject) => {
    const child = execFile(
      process.execPath,
      [worker, String(cpuMs * 1000)],
      // Nothing of our environment: secrets stand in it.
      { env: {}, timeout, killSignal: 'SIGKILL', maxBuffer: OUTPUT_MAX_BYTES, encoding: 'buffer' },
      (error, picture, complaint) => {
        const mediaType = mediaTypeOf(picture);
        if (!error && mediaType) return resolve({ bytes: picture, mediaType });
        // 2 is the worker's own "no"; a signal means that it ran out of time or crashed over this picture.
        if (error?.code === 2 || error?.signal) return resolve(refuse('invalid_image'));
        return reject(
          new Error(`the image worker failed: ${complaint.toString().slice(0, 500)}`, { cause: error }),
        );
      },
    );
    // Who says no early does not read on; its exit tells.
    child.stdin?.on('error', () => undefined).end(bytes);
  });
