import { execFile } from 'node:child_process';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { Refusal } from '#contract/errors.ts';
import type { UserId } from '#contract/wire.ts';
import { createImages } from './images.ts';

// Hostile pictures whose headers are expensive to read.

const number32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const chunk = (type: string, data: Buffer) => {
  const body = Buffer.concat([Buffer.from(type), data]);
  return Buffer.concat([number32(data.length), body, number32(crc32(body))]);
};
const header = (width: number, height: number) =>
  chunk('IHDR', Buffer.concat([number32(width), number32(height), Buffer.from([8, 2, 0, 0, 0])]));
const png = (head: Buffer, ...more: Buffer[]) =>
  Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    head,
    ...more,
    chunk('IDAT', deflateSync(Buffer.alloc(64 * (3 * 64 + 1)))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
const small = header(64, 64);
const inflated = (before: string) =>
  Buffer.concat([Buffer.from(before, 'latin1'), deflateSync(Buffer.alloc(100 * 2 ** 20))]);

const jpeg = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#123' } })
  .jpeg()
  .toBuffer();
const segment = (marker: number, data: Buffer) => {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(data.length + 2);
  return Buffer.concat([Buffer.from([0xff, marker]), length, data]);
};
const withSegments = (...segments: Buffer[]) =>
  Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);
const times = (count: number, bytes: Buffer) => Buffer.concat(Array.from({ length: count }, () => bytes));

/** An Exif directory whose entries all point back to it. */
function circularExif(entries: number) {
  const directory = Buffer.alloc(2 + 12 * entries + 4);
  directory.writeUInt16LE(entries);
  for (let at = 2; at < 2 + 12 * entries; at += 12) {
    directory.writeUInt16LE(0x87_69, at);
    directory.writeUInt16LE(4, at + 2);
    directory.writeUInt32LE(1, at + 4);
    directory.writeUInt32LE(8, at + 8);
  }
  return segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0II*\0\b\0\0\0', 'latin1'), directory]));
}

const [refused, redrawn] = ['invalid_image', 'image/png'];
test.each<[string, string, Buffer]>([
  ['claims to have no pixels', refused, png(header(0, 0))],
  ['claims the maximum number of pixels', refused, png(header(0x7f_ff_ff_ff, 0x7f_ff_ff_ff))],
  ['claims to be one endless line', refused, png(header(0x7f_ff_ff_ff, 1))],
  ['has a colour profile of 100 MB', redrawn, png(small, chunk('iCCP', inflated('a\0\0')))],
  ['has texts of 2 GB', redrawn, png(small, times(20, chunk('zTXt', inflated('a\0\0'))))],
  ['has 350,000 texts', redrawn, png(small, times(350_000, chunk('tEXt', Buffer.from('a\0b', 'latin1'))))],
  ['has 400,000 unknown chunks', redrawn, png(small, times(400_000, chunk('abCd', Buffer.alloc(0))))],
  ['has a million comments', 'image/jpeg', withSegments(times(1_000_000, segment(0xfe, Buffer.alloc(0))))],
  ['begins with 5 MB of padding', 'image/jpeg', withSegments(Buffer.alloc(5_000_000, 0xff))],
  ['has Exif data that points to itself', 'image/jpeg', withSegments(circularExif(1))],
])('a picture that %s: %s (M10)', async (_what, outcome, bytes) => {
  const answer = await createImages().square(bytes, {
    userId: 1 as UserId,
    network: '192.0.2.1',
    confirmed: true,
  });
  expect(answer instanceof Refusal ? answer.name : answer.mediaType).toBe(outcome);
});

test('the worker kills itself when a picture takes too much CPU time, even during decoding (M10)', async () => {
  const worker = path.join(import.meta.dirname, 'image-worker.ts');
  // One second of a core. The decoder would need many for this Exif data.
  const args = [worker, '1000000', String(2 ** 30), String(25_000_000)];
  const exit = Promise.withResolvers<string | undefined>();
  const child = execFile(process.execPath, args, (error) => exit.resolve(error?.signal ?? undefined));
  child.stdin?.on('error', () => undefined).end(withSegments(circularExif(5400)));
  expect(await exit.promise).toBe('SIGKILL');
});
