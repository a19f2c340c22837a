import dns from 'node:dns';
import { Resolver } from 'node:dns/promises';

const PATIENCE_MS = 2000;
const TRIES = 2;
/** A record set of a hostile zone may be long; pages show the beginning. */
const RECORDS_MAX = 10;
const CHARACTERS_MAX = 300;

/** The TXT records at a name; none if it does not exist, `silent` if no name server answered or one failed. */
export async function txtRecords(name: string): Promise<readonly string[] | 'silent'> {
  const resolver = new Resolver({ timeout: PATIENCE_MS, tries: TRIES });
  resolver.setServers(dns.getServers());
  try {
    const records = await resolver.resolveTxt(name);
    return records.slice(0, RECORDS_MAX).map((parts) => parts.join('').slice(0, CHARACTERS_MAX));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    return code === dns.NOTFOUND || code === dns.NODATA ? [] : 'silent';
  }
}
