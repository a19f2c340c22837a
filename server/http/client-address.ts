import { isIPv4, isIPv6, SocketAddress } from 'node:net';
import type { FastifyRequest } from 'fastify';

/**
 * Where a request came from: the socket, or what trusted proxies say. A forwarded word that is no address counts
 * for nothing, and every address has one spelling: IPv6 in its short form, IPv4 never as `::ffff:…`.
 */
export function clientAddress(request: FastifyRequest): string {
  const address = spelled(request.ip) ?? spelled(request.socket.remoteAddress ?? '');
  return address ?? 'unknown';
}

function spelled(word: string): string | undefined {
  if (isIPv4(word)) return word;
  return isIPv6(word)
    ? new SocketAddress({ address: word, family: 'ipv6' }).address.replace(/^::ffff:(?=.*\.)/, '')
    : undefined;
}
