import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { IMAGE_SIDE_MAX } from '#contract/limits.ts';

// A process for one picture (server/images.ts): bytes in, a fresh picture out. What comes in is hostile and the decoder
// is native code, so it runs where a crash, a hang or a bomb takes nothing else along.

/** More than any camera that fits into 5 MB needs; a picture of one colour may claim a thousand times that. */
const PIXELS_MAX = 50_000_000;
const MEMORY_MAX_BYTES = 512 * 2 ** 20;
const NOT_A_PICTURE = 2;

const CPU_MAX_MICROSECONDS = Number(process.argv[2]);

// The decoder works on threads of its own, so this goes on beside it.
setInterval(() => {
  const { user, system } = process.cpuUsage();
  const isTooMuch = user + system > CPU_MAX_MICROSECONDS || process.memoryUsage.rss() > MEMORY_MAX_BYTES;
  if (isTooMuch) process.exit(NOT_A_PICTURE);
}, 20).unref();

// No other loader is ever asked: SVG, GIF, TIFF and the rest never reach their parsers.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] });
sharp.cache(false);
sharp.concurrency(1);

/** A square of at most 512 pixels, upright, in sRGB, without any of the metadata. */
async function redrawn(bytes: Buffer): Promise<Buffer> {
  const picture = sharp(bytes, { failOn: 'warning', limitInputPixels: PIXELS_MAX });
  const { format, width, height } = await picture.metadata();
  const side = Math.min(IMAGE_SIDE_MAX, width, height);
  const square = picture.autoOrient().resize(side, side, { fit: 'cover' }).toColourspace('srgb');
  return format === 'png' ? square.png().toBuffer() : square.jpeg({ quality: 90 }).toBuffer();
}

const bytes = await buffer(process.stdin);
await redrawn(bytes).then(
  (picture) => process.stdout.write(picture),
  () => process.exit(NOT_A_PICTURE),
);
