import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { Refusal } from '#contract/errors.ts';
import { createImages, type Picture } from '#server/images.ts';

const images = createImages();
const drawn = async (bytes: Uint8Array): Promise<Picture> => {
  const picture = await images.square(bytes);
  if (picture instanceof Refusal) throw new Error(picture.name);
  return picture;
};
const refusalOf = async (bytes: Uint8Array | string) => {
  const answer = await images.square(typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
  return answer instanceof Refusal ? answer.name : 'drawn';
};
const canvas = (width: number, height: number, background = '#00ff0080') =>
  sharp({ create: { width, height, channels: 4, background } });
const png = await canvas(600, 700).png().toBuffer();
const jpeg = await canvas(600, 700).jpeg().toBuffer();
const pixel = async (bytes: Uint8Array, left: number, top: number) => [
  ...(await sharp(bytes).ensureAlpha().extract({ left, top, width: 1, height: 1 }).raw().toBuffer()),
];

describe('a picture', () => {
  test.each([
    [600, 700, 512],
    [2000, 513, 512],
    [512, 512, 512],
    [100, 40, 40],
    [1, 1, 1],
  ])('of %d by %d becomes a square of %d', async (width, height, side) => {
    const { bytes } = await drawn(await canvas(width, height).png().toBuffer());
    expect(await sharp(bytes).metadata()).toMatchObject({ width: side, height: side });
  });

  test('that is a PNG stays one with its transparency, and a JPEG stays a JPEG', async () => {
    const [one, other] = await Promise.all([drawn(png), drawn(jpeg)]);
    expect([one.mediaType, other.mediaType]).toEqual(['image/png', 'image/jpeg']);
    expect((await sharp(one.bytes).metadata()).format).toBe('png');
    expect((await sharp(other.bytes).metadata()).format).toBe('jpeg');
    expect(await pixel(one.bytes, 9, 9)).toEqual([0, 255, 0, 128]);
  });

  test('is turned the way its camera was held, and keeps nothing of what the camera wrote', async () => {
    const red = await canvas(300, 600, '#ff0000').png().toBuffer();
    const photo = await canvas(600, 600, '#0000ff')
      .composite([{ input: red, left: 0, top: 0 }])
      .withExif({
        IFD0: { Copyright: 'secret name' },
        IFD3: { GPSLatitude: '59/1 20/1 0/1', GPSLatitudeRef: 'N' },
      })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><a>secret place</a></x:xmpmeta>')
      .withIccProfile('p3')
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect(photo.toString('latin1')).toContain('secret name');
    expect((await sharp(photo).metadata()).orientation).toBe(6);
    const { bytes } = await drawn(photo);
    const { orientation, exif, xmp, icc, iptc } = await sharp(bytes).metadata();
    expect([orientation, exif, xmp, icc, iptc]).toEqual(Array(5).fill(undefined));
    expect(bytes.toString('latin1')).not.toMatch(/secret|Exif|xmpmeta/);
    const [top, bottom] = [await pixel(bytes, 100, 20), await pixel(bytes, 100, 490)];
    expect([top[0], bottom[2]].map((channel = 0) => channel > 250)).toEqual([true, true]);
  });

  test.each([
    ['16 bits a channel', () => canvas(20, 20).toColourspace('rgb16').png()],
    ['grey', () => canvas(20, 20).toColourspace('b-w').png()],
    ['print colours', () => canvas(20, 20).toColourspace('cmyk').jpeg()],
    ['a palette', () => canvas(20, 20).png({ palette: true })],
    ['lines in seven rounds', () => canvas(20, 20).png({ progressive: true })],
  ])('with %s is drawn in plain colours', async (_what, make) => {
    const { bytes } = await drawn(await make().toBuffer());
    const { space, depth } = await sharp(bytes).metadata();
    expect([space, depth]).toEqual(['srgb', 'uchar']);
  });

  test('with a page behind it loses the page', async () => {
    const { bytes } = await drawn(Buffer.concat([jpeg, Buffer.from('<script>alert(1)</script>')]));
    expect(bytes.toString('latin1')).not.toContain('script');
  });
});

/** A PNG of any size, of one colour: its head and data as the format says, and hardly any bytes. */
function hugePng(width: number, height: number) {
  const chunk = (type: string, data: Buffer) => {
    const crc = Buffer.alloc(4);
    const body = Buffer.concat([Buffer.from(type), data]);
    crc.writeUInt32BE(crc32(body));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, body, crc]);
  };
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0]);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  const data = deflateSync(Buffer.alloc(1000 * (width + 1)));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
const signature = (hex: string, rest: string) => Buffer.concat([Buffer.from(hex, 'hex'), Buffer.from(rest)]);
test.each<[string, () => Promise<Uint8Array | string> | Uint8Array | string]>([
  ['nothing', () => ''],
  ['SVG', () => svg],
  ['HTML', () => '<!doctype html><script>alert(1)</script>'],
  ['PDF', () => '%PDF-1.7\n'],
  ['a zip', () => signature('504b0304', 'zip')],
  ['GIF', () => canvas(9, 9).gif().toBuffer()],
  ['WebP', () => canvas(9, 9).webp().toBuffer()],
  ['TIFF', () => canvas(9, 9).tiff().toBuffer()],
  ['AVIF', () => canvas(9, 9).avif().toBuffer()],
  ['SVG that begins like a PNG', () => signature('89504e470d0a1a0a', svg)],
  ['HTML that begins like a JPEG', () => signature('ffd8ffe0', '<script>alert(1)</script>')],
  ['GIF that begins like a JPEG', () => signature('ffd8ff', 'GIF89a<script>')],
  ['half a PNG', () => png.subarray(0, png.length / 2)],
  ['half a JPEG', () => jpeg.subarray(0, jpeg.length / 2)],
  ['a PNG whose data is broken', () => Buffer.from(png).fill(7, 500)],
  ['a picture of 400 megapixels', () => hugePng(20_000, 20_000)],
])('%s is refused', async (_what, bytes) => {
  expect(await refusalOf(await bytes())).toBe('invalid_image');
});

test('a picture that needs too much memory is refused', async () => {
  const bytes = await canvas(7000, 7000).toColourspace('rgb16').png({ progressive: true }).toBuffer();
  expect(await refusalOf(bytes)).toBe('invalid_image');
});

const bounds = { atOnce: 2, waiting: 16, cpuMs: 5000, limitMs: 15_000 };
test.each([
  ['takes too much work', { ...bounds, cpuMs: 1 }],
  ['takes too long', { ...bounds, limitMs: 1 }],
])('a picture that %s is refused', async (_what, strict) => {
  const answer = await createImages(strict).square(await canvas(3000, 3000).png().toBuffer());
  expect(answer).toMatchObject({ name: 'invalid_image' });
});

test('one too many at a time is turned away', async () => {
  const narrow = createImages({ ...bounds, atOnce: 1, waiting: 0 });
  const [one, other] = await Promise.all([narrow.square(png), narrow.square(png)]);
  expect(one).toHaveProperty('mediaType', 'image/png');
  expect(other).toMatchObject({ name: 'unavailable' });
});
