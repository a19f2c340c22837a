import { isIPv4, isIPv6, SocketAddress } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { networksOf } from '#server/ip-prefix.ts';

/** From the socket, or as trusted proxies report it. One spelling: IPv6 in its short form, IPv4 never as `::ffff:…`. */
export function clientAddress(request: FastifyRequest): string {
  const cached = addresses.get(request);
  if (cached !== undefined) return cached;
  const address = canonical(request.ip) ?? canonical(request.socket.remoteAddress ?? '') ?? 'unknown';
  addresses.set(request, address);
  return address;
}

/** A cache, because each request needs its address several times and a list of proxies may be long. */
const addresses = new WeakMap<FastifyRequest, string>();

/** No installation has more proxies in a row, so a longer list is forged. */
const HOPS_MAX = 8;

/** Whether an address is one of our proxies; `hop` counts the proxies between it and us. */
export function proxiesOf(list: readonly string[]) {
  const isProxy = networksOf(list);
  return (address: string, hop = 0) => hop < HOPS_MAX && isProxy(address);
}

function canonical(text: string): string | undefined {
  if (!isIPv6(text)) return isIPv4(text) ? text : undefined;
  return new SocketAddress({ address: text, family: 'ipv6' }).address.replace(/^::ffff:(?=.*\.)/, '');
}
