import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { piecesOf } from '#server/http/pieces.ts';

/** A fake body from a socket. Each piece has `bytes` of content and takes `onTheWire` bytes with its framing. */
function body(pieces: number, bytes: number, onTheWire: number) {
  const socket = { bytesRead: 0 };
  const raw = new Readable({
    highWaterMark: 1,
    read() {
      socket.bytesRead += onTheWire;
      this.push(pieces > 0 ? Buffer.alloc(bytes) : null);
      pieces -= 1;
    },
  });
  return { socket, raw: Object.assign(raw, { socket }) as unknown as IncomingMessage };
}

async function bytesIn(raw: IncomingMessage) {
  let bytes = 0;
  for await (const piece of piecesOf(raw)) bytes += piece.length;
  return bytes;
}

test.each([
  { what: 'of one chunk each', bytes: 8192, onTheWire: 8200 },
  { what: 'of chunks of thirty bytes', bytes: 8190, onTheWire: 9828 },
])('a body $what is read whole', async ({ bytes, onTheWire }) => {
  expect(await bytesIn(body(600, bytes, onTheWire).raw)).toBe(600 * bytes);
});

test('a body of chunks of one byte is aborted early (M12)', async () => {
  const { raw, socket } = body(10_000, 1000, 6000);
  await expect(bytesIn(raw)).rejects.toThrow('more framing than content');
  expect(socket.bytesRead).toBeLessThan(40_000);
});

test('a body whose sender disconnects is a bad request', async () => {
  const { raw } = body(600, 1000, 1000);
  const read = bytesIn(raw);
  setImmediate(() => raw.destroy(new Error('aborted')));
  await expect(read).rejects.toMatchObject({ statusCode: 400 });
});

test('each turn of the event loop reads one piece, however fast they arrive (M12)', async () => {
  let turn = 0;
  const count = () => void (turn = turn < 0 ? turn : (setImmediate(count), turn + 1));
  count();
  const turns: number[] = [];
  for await (const piece of piecesOf(body(50, 1000, 1000).raw)) turns.push(piece.length > 0 ? turn : -1);
  turn = -1;
  expect(turns.length).toBeGreaterThan(20);
  expect(new Set(turns).size).toBe(turns.length);
});
