import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { Refusal } from '#contract/errors.ts';
import type { UserId } from '#contract/wire.ts';
import { createImages, type Images, type Picture } from './images.ts';
import { hugePng } from '#server/testing/pictures.ts';

const images = createImages();
const maya = { userId: 1 as UserId, network: '192.0.2.1', confirmed: true };
const redraw = async (bytes: Uint8Array): Promise<Picture> => {
  const picture = await images.square(bytes, maya);
  if (picture instanceof Refusal) throw new Error(picture.name);
  return picture;
};
const refusalOf = async (bytes: Uint8Array | string) => {
  const answer = await images.square(typeof bytes === 'string' ? Buffer.from(bytes) : bytes, maya);
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
    const { bytes } = await redraw(await canvas(width, height).png().toBuffer());
    expect(await sharp(bytes).metadata()).toMatchObject({ width: side, height: side });
  });

  test('that is a PNG stays one with its transparency, and a JPEG stays a JPEG', async () => {
    const [one, other] = await Promise.all([redraw(png), redraw(jpeg)]);
    expect([one.mediaType, other.mediaType]).toEqual(['image/png', 'image/jpeg']);
    expect((await sharp(one.bytes).metadata()).format).toBe('png');
    expect((await sharp(other.bytes).metadata()).format).toBe('jpeg');
    expect(await pixel(one.bytes, 9, 9)).toEqual([0, 255, 0, 128]);
  });

  test("is turned upright, and loses the camera's metadata", async () => {
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
    const { bytes } = await redraw(photo);
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
  ])('with %s is redrawn in sRGB with 8 bits per channel', async (_what, make) => {
    const { bytes } = await redraw(await make().toBuffer());
    const { space, depth } = await sharp(bytes).metadata();
    expect([space, depth]).toEqual(['srgb', 'uchar']);
  });

  test('with a page appended loses the page', async () => {
    const { bytes } = await redraw(Buffer.concat([jpeg, Buffer.from('<script>alert(1)</script>')]));
    expect(bytes.toString('latin1')).not.toContain('script');
  });
});

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
const signature = (hex: string, rest: string) => Buffer.concat([Buffer.from(hex, 'hex'), Buffer.from(rest)]);
test.each<[string, () => Promise<Uint8Array | string> | Uint8Array | string]>([
  ['SVG', () => svg],
  ['HTML', () => '<!doctype html><script>alert(1)</script>'],
  ['GIF', () => canvas(9, 9).gif().toBuffer()],
  ['WebP', () => canvas(9, 9).webp().toBuffer()],
  ['SVG that begins like a PNG', () => signature('89504e470d0a1a0a', svg)],
  ['GIF that begins like a JPEG', () => signature('ffd8ff', 'GIF89a<script>')],
  ['half a PNG', () => png.subarray(0, png.length / 2)],
  ['a PNG whose data is broken', () => Buffer.from(png).fill(7, 500)],
  ['a picture of 400 megapixels', () => hugePng(20_000, 20_000)],
])('%s is refused', async (_what, bytes) => {
  expect(await refusalOf(await bytes())).toBe('invalid_image');
});

test.for([
  {
    sender: 'a confirmed person',
    confirmed: true,
    side: 5000,
    over: /more than 25 megapixels.* 512 by 512 /,
  },
  {
    sender: 'an unconfirmed person',
    confirmed: false,
    side: 2000,
    over: /at most 4 megapixels.*confirm your address/,
  },
])('$sender may send $side by $side pixels and no more', async ({ confirmed, side, over }) => {
  const tom = { ...maya, confirmed };
  const sized = (width: number) => canvas(width, side).removeAlpha().jpeg().toBuffer();
  expect(await images.square(await sized(side), tom)).toHaveProperty('mediaType', 'image/jpeg');
  const refusal = await images.square(await sized(side + 1), tom);
  expect(refusal).toMatchObject({
    name: 'invalid_image',
    detail: { details: expect.stringMatching(over) as string },
  });
});

const limits = {
  atOnce: 2,
  each: 2,
  ofOnePerson: 9,
  waiting: 16,
  cpuMs: 5000,
  memoryBytes: 2 ** 29,
  limitMs: 15_000,
};
test.each([
  ['takes too much work', { ...limits, cpuMs: 1 }],
  ['takes too long', { ...limits, limitMs: 1 }],
  ['needs too much memory', { ...limits, memoryBytes: 2 ** 20 }],
])('a picture that %s is refused', async (_what, strict) => {
  const answer = await createImages(strict).square(await canvas(3000, 3000).png().toBuffer(), maya);
  expect(answer).toMatchObject({ name: 'invalid_image', detail: {} });
});

test('a picture is refused when the queue is full', async () => {
  const narrow = createImages({ ...limits, atOnce: 1, each: 1, waiting: 0 });
  const [one, other] = await Promise.all([narrow.square(png, maya), narrow.square(png, maya)]);
  expect(one).toHaveProperty('mediaType', 'image/png');
  expect(other).toMatchObject({ name: 'unavailable' });
});

/** Sends a small picture for each sender at once; returns the outcomes in order. */
async function sendAtOnce(images: Images, senders: readonly (readonly [userId: number, network: string])[]) {
  const outcomes: string[] = [];
  const send = async ([userId, network]: readonly [number, string]) => {
    const answer = await images.square(png, { userId: userId as UserId, network, confirmed: true });
    outcomes.push(`${userId} ${answer instanceof Refusal ? answer.name : 'done'}`);
  };
  await Promise.all(senders.map(send));
  return outcomes;
}
const [home, office] = ['192.0.2.1', '198.51.100.1'];

test('a person may have only some pictures in progress over all their networks (M10)', async () => {
  const queue = createImages({ ...limits, atOnce: 1, each: 1, ofOnePerson: 2 });
  const outcomes = await sendAtOnce(queue, [
    [1, home],
    [1, office],
    [1, '203.0.113.1'],
    [2, home],
  ]);
  expect(outcomes).toEqual(['1 unavailable', '1 done', '1 done', '2 done']);
});
