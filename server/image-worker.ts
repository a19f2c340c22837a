import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { IMAGE_SIDE_MAX } from '#contract/limits.ts';

// One process per picture (server/images.ts): bytes in, redrawn picture out. The input is hostile and the
// decoder is native code, so a crash, a hang or a decompression bomb must not harm anything else.

const [CPU_MAX_MICROSECONDS = 0, MEMORY_MAX_BYTES = 0, PIXELS_MAX = 0] = process.argv.slice(2).map(Number);
/** Exit codes that tell server/images.ts why there is no picture. */
const NO = { notAPicture: 2, tooManyPixels: 3 };

// The decoder has its own threads, so this timer still runs.
setInterval(() => {
  const { user, system } = process.cpuUsage();
  const isTooMuch = user + system > CPU_MAX_MICROSECONDS || process.memoryUsage.rss() > MEMORY_MAX_BYTES;
  // An exit would wait for the decoder to finish.
  if (isTooMuch) process.kill(process.pid, 'SIGKILL');
}, 20).unref();

// All other loaders are blocked: SVG, GIF, TIFF and the rest never reach their parsers.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] });
sharp.cache(false);
sharp.concurrency(1);

/** A square of at most 512 pixels, upright, in sRGB, without metadata. Too large pictures are not decoded. */
async function redrawn(bytes: Buffer): Promise<Buffer | number> {
  const { format, width, height } = await sharp(bytes, { limitInputPixels: false }).metadata();
  if (width * height > PIXELS_MAX) return NO.tooManyPixels;
  const picture = sharp(bytes, { failOn: 'warning', limitInputPixels: PIXELS_MAX });
  const side = Math.min(IMAGE_SIDE_MAX, width, height);
  const square = picture.autoOrient().resize(side, side, { fit: 'cover' }).toColourspace('srgb');
  return format === 'png' ? square.png().toBuffer() : square.jpeg({ quality: 90 }).toBuffer();
}

const bytes = await buffer(process.stdin);
const drawn = await redrawn(bytes).catch(() => NO.notAPicture);
if (typeof drawn === 'number') process.exit(drawn);
else process.stdout.write(drawn);
