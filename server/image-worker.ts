import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { IMAGE_SIDE_MAX } from '#contract/limits.ts';

// One process per picture: the input is hostile and the decoder native, so a crash or a bomb harms nothing else.

const [shape, ...maxima] = process.argv.slice(2);
const [CPU_MAX_MICROSECONDS = 0, MEMORY_MAX_BYTES = 0, PIXELS_MAX = 0] = maxima.map(Number);
/** Shown beside the form of the public pages. */
const WHOLE_SIDE_MAX = 1600;
/** Exit codes for server/images.ts. */
const EXIT = { notAPicture: 2, tooManyPixels: 3 };

// The decoder has its own threads, so this timer still runs.
setInterval(() => {
  const { user, system } = process.cpuUsage();
  const isTooMuch = user + system > CPU_MAX_MICROSECONDS || process.memoryUsage.rss() > MEMORY_MAX_BYTES;
  // process.exit would wait for the decoder.
  if (isTooMuch) process.kill(process.pid, 'SIGKILL');
}, 20).unref();

// All other loaders are blocked: SVG, GIF, TIFF and the rest never reach their parsers.
sharp.block({ operation: ['VipsForeignLoad'] });
const formats = ['Jpeg', 'Png', ...(shape === 'whole' ? ['Webp'] : [])];
sharp.unblock({ operation: formats.map((format) => `VipsForeignLoad${format}Buffer`) });
sharp.cache(false);
sharp.concurrency(1);

/** Redraws a picture upright, in sRGB and without metadata, as a square or whole; returns an exit code if it has too many pixels. */
async function redraw(bytes: Buffer): Promise<Buffer | number> {
  const { format, width, height } = await sharp(bytes, { limitInputPixels: false }).metadata();
  if (width * height > PIXELS_MAX) return EXIT.tooManyPixels;
  const picture = sharp(bytes, { failOn: 'warning', limitInputPixels: PIXELS_MAX });
  if (shape === 'whole') {
    const inside = { fit: 'inside', withoutEnlargement: true } as const;
    const whole = picture.autoOrient().resize(WHOLE_SIDE_MAX, WHOLE_SIDE_MAX, inside);
    return whole.toColourspace('srgb').webp({ quality: 82 }).toBuffer();
  }
  const side = Math.min(IMAGE_SIDE_MAX, width, height);
  const square = picture.autoOrient().resize(side, side, { fit: 'cover' }).toColourspace('srgb');
  return format === 'png' ? square.png().toBuffer() : square.jpeg({ quality: 90 }).toBuffer();
}

const bytes = await buffer(process.stdin);
const result = await redraw(bytes).catch(() => EXIT.notAPicture);
if (typeof result === 'number') process.exit(result);
else process.stdout.write(result);
