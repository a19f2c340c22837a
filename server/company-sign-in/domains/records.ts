import dns from 'node:dns';
import { Resolver } from 'node:dns/promises';

const PATIENCE_MS = 2000;
const TRIES = 2;
/** Pages show the beginning of a long record. */
const CHARACTERS_MAX = 300;

/** The TXT records at a name; none if it does not exist, `silent` if no name server answered or one failed. */
export async function txtRecords(name: string): Promise<readonly string[] | 'silent'> {
  const resolver = new Resolver({ timeout: PATIENCE_MS, tries: TRIES });
  resolver.setServers(dns.getServers());
  try {
    const records = await resolver.resolveTxt(name);
    return records.map((parts) => parts.join('').slice(0, CHARACTERS_MAX));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    return code === dns.NOTFOUND || code === dns.NODATA ? [] : 'silent';
  }
}
