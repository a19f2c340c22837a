import { BlockList, isIP, isIPv4, isIPv6, SocketAddress } from 'node:net';
import type { FastifyRequest } from 'fastify';

/**
 * The IP address of a request: from the socket, or as trusted proxies report it. A forwarded word that is no
 * address is ignored. Every address has one spelling: IPv6 in its short form, IPv4 never as `::ffff:…`.
 */
export function clientAddress(request: FastifyRequest): string {
  const known = addresses.get(request);
  if (known !== undefined) return known;
  const address = spelled(request.ip) ?? spelled(request.socket.remoteAddress ?? '') ?? 'unknown';
  addresses.set(request, address);
  return address;
}

/** A cache, because each request needs it several times and a list of proxies may be long. */
const addresses = new WeakMap<FastifyRequest, string>();

/** No installation has more proxies in a row, so a longer list is forged. */
const HOPS_MAX = 8;

/** Whether an address is one of our proxies; `hop` is its distance. config.ts has validated the list. */
export function proxiesOf(list: readonly string[]) {
  const blocks = new BlockList();
  for (const entry of list) {
    const [address = '', bits] = entry.split('/');
    if (bits === undefined) blocks.addAddress(address, familyOf(address));
    else blocks.addSubnet(address, Number(bits), familyOf(address));
  }
  return (address: string, hop = 0) =>
    hop < HOPS_MAX && isIP(address) > 0 && blocks.check(address, familyOf(address));
}

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');

function spelled(word: string): string | undefined {
  if (isIPv4(word)) return word;
  return isIPv6(word)
    ? new SocketAddress({ address: word, family: 'ipv6' }).address.replace(/^::ffff:(?=.*\.)/, '')
    : undefined;
}
