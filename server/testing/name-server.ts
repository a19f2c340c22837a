import { createSocket } from 'node:dgram';
import { getServers, setServers } from 'node:dns';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';

/** An IPv6 address in 16 bytes. */
function bytesOfIPv6(address: string): Buffer {
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [left, right] = [head, tail].map((groups) => groups.split(':').filter(Boolean));
  const zeros = Array<string>(8 - (left?.length ?? 0) - (right?.length ?? 0)).fill('0');
  const groups = [...(left ?? []), ...zeros, ...(right ?? [])];
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex');
}

/** The records of the type that a query asks for, in the format of RFC 1035. */
function answerTo(query: Buffer, addresses: readonly string[], isOfIPv4: boolean): Buffer {
  const questionEnd = query.indexOf(0, 12) + 5;
  const records = addresses
    .filter((address) => isIPv4(address) === isOfIPv4)
    .map((address) => (isOfIPv4 ? Buffer.from(address.split('.').map(Number)) : bytesOfIPv6(address)));
  const head = Buffer.from(query.subarray(0, 12));
  head.writeUInt16BE(addresses.length > 0 ? 0x81_80 : 0x81_83, 2);
  head.writeUInt16BE(records.length, 6);
  head.writeUInt32BE(0, 8);
  const lines = records.flatMap((data) => {
    // The question's name, its type, internet, no time to live.
    const line = Buffer.from('c00c0001000100000000', 'hex');
    line.writeUInt16BE(isOfIPv4 ? 1 : 28, 2);
    return [line, Buffer.from([0, data.length]), data];
  });
  return Buffer.concat([head, query.subarray(12, questionEnd), ...lines]);
}

const TXT = 16;
type Code = 'NXDOMAIN' | 'SERVFAIL';

/** The TXT records that a query asks for, each in parts of at most 255 bytes; or an error code. */
function answerWithTexts(query: Buffer, texts: readonly string[] | Code): Buffer {
  const questionEnd = query.indexOf(0, 12) + 5;
  const records = typeof texts === 'string' ? [] : texts;
  const head = Buffer.from(query.subarray(0, 12));
  head.writeUInt16BE(
    { NXDOMAIN: 0x81_83, SERVFAIL: 0x81_82, none: 0x81_80 }[typeof texts === 'string' ? texts : 'none'],
    2,
  );
  head.writeUInt16BE(records.length, 6);
  head.writeUInt32BE(0, 8);
  const lines = records.flatMap((text) => {
    const parts = text.match(/[^]{1,255}/g) ?? [];
    const data = Buffer.concat(
      parts.map((part) => Buffer.from([part.length, ...Buffer.from(part, 'latin1')])),
    );
    const line = Buffer.from('c00c0010000100000000', 'hex');
    return [line, Buffer.from([data.length >> 8, data.length & 255]), data];
  });
  return Buffer.concat([head, query.subarray(12, questionEnd), ...lines]);
}

/**
 * A name server that this process asks while it is open. A name without addresses does not exist, nor does one that
 * goes on after the name of texts; another that it does not know gets no answer.
 */
export async function startNameServer() {
  const names = new Map<string, readonly string[]>();
  const texts = new Map<string, readonly string[] | Code>();
  const held = new Map<string, () => void>();
  const waiting: (() => void)[] = [];
  const questions: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += length + 1;
    }
    const name = labels.join('.').toLowerCase();
    if (query.readUInt16BE(at + 1) === TXT) {
      questions.push(`${name} TXT`);
      const isBelow = [...texts.keys()].some((known) => name.startsWith(`${known}.`));
      const records = texts.get(name) ?? (isBelow ? 'NXDOMAIN' : undefined);
      if (records) socket.send(answerWithTexts(query, records), from.port, from.address);
      else {
        held.set(name, () => socket.send(answerWithTexts(query, 'SERVFAIL'), from.port, from.address));
        for (const look of waiting) look();
      }
      return;
    }
    const isOfIPv4 = query.readUInt16BE(at + 1) === 1;
    questions.push(`${name} ${isOfIPv4 ? 'A' : 'AAAA'}`);
    const addresses = names.get(name);
    if (addresses) socket.send(answerTo(query, addresses, isOfIPv4), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const former = getServers();
  setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    questions,
    name: (name: string, addresses: readonly string[]) => void names.set(name, addresses),
    text: (name: string, records: readonly string[] | Code) => void texts.set(name, records),
    /** Waits until the texts of these names, which it does not know, are asked for. */
    askedFor: (unknown: readonly string[]) =>
      new Promise<void>((resolve) => {
        const look = () => unknown.every((name) => held.has(name)) && resolve();
        waiting.push(look);
        look();
      }),
    /** Answers the names that wait. */
    release() {
      for (const answer of held.values()) answer();
      held.clear();
    },
    close() {
      setServers(former);
      socket.close();
    },
  };
}
