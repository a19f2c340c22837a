import { crc32, deflateSync } from 'node:zlib';

/** A PNG of any size in one colour, valid and very small in bytes. */
export function hugePng(width: number, height: number) {
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
