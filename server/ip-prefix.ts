import { BlockList, isIP, isIPv6 } from 'node:net';

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');

export function networksOf(list: readonly string[]) {
  const blocks = new BlockList();
  for (const entry of list) {
    const [address = '', bits] = entry.split('/');
    if (bits === undefined) blocks.addAddress(address, familyOf(address));
    else blocks.addSubnet(address, Number(bits), familyOf(address));
  }
  return (address: string) => isIP(address) > 0 && blocks.check(address, familyOf(address));
}

const isMapped = networksOf(['::ffff:0:0/96']);

/** IPv4 as it is, IPv6 by its /64, a mapped one as IPv4. Unreadable addresses share one key, so none escapes. */
export function ipPrefix(address: string): string {
  const plain = address.split('%', 1)[0] ?? '';
  if (isIP(plain) === 0) return 'unknown';
  if (!isIPv6(plain)) return plain;
  const groups = expand(plain);
  if (isMapped(plain)) {
    const [high = 0, low = 0] = groups.slice(6);
    return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** The /48 around an IPv6 /64, because one customer may own all its 65,536 networks; undefined for IPv4. */
export const allocationOf = (prefix: string): string | undefined =>
  prefix.endsWith('::/64') ? prefix.replace(/:[^:]*::\/64$/, '::/48') : undefined;

/** The eight groups of an IPv6 address as numbers; the URL parser turns dotted tails into groups. */
function expand(address: string): number[] {
  const text = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = text.split('::');
  const numbers = (part: string) =>
    part.split(':').flatMap((group) => (group === '' ? [] : Number.parseInt(group, 16)));
  const [before, after] = [numbers(head), numbers(tail ?? '')];
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}
